/** Characters that show nothing: controls, joiners, direction marks, variation selectors, fillers. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns a text without any. For what is compared; names and messages keep the joiners of their emoji (`withoutUnseen`). */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');
