import { buffer } from 'node:stream/consumers';
import type { Db } from 'mongodb';
import { LOGO_NO_IMAGE } from '#shared/charities/contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { fileStore } from '../../platform/files/store.ts';
import type { UploadedFile } from '../../platform/http/upload.ts';
import type { Services } from '../../platform/services.ts';
import { charities, SHOWN, type CharityRow } from './collections.ts';

const OWNER = 'charity:';
/** Returns the owner of a charity’s logo. */
export const logoOwner = (id: string): string => `${OWNER}${id}`;

/**
 * Stores the logo of a charity and returns its key.
 * @throws HttpError 415 with the message of the form
 */
export async function storeLogo(
  { images }: Pick<Services, 'images'>,
  { path }: UploadedFile,
  id: string,
): Promise<string> {
  try {
    return await images.put(path, logoOwner(id));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new HttpError(415, LOGO_NO_IMAGE, { fields: { logo: LOGO_NO_IMAGE }, cause: error });
  }
}

/** Returns whether a file is the logo of a charity whose page is public: others could be anything that somebody uploaded. */
export async function isShownLogo(db: Db, owner: string, logo_key: string): Promise<boolean> {
  if (!owner.startsWith(OWNER)) return false;
  const _id = owner.slice(OWNER.length);
  return (await charities(db).findOne({ _id, logo_key, ...SHOWN })) !== null;
}

/** Returns a charity’s logo as a data URL, for its contact, who sees it before it is public; null without one. */
export async function logoDataUrl(
  db: Db,
  { logo_key }: Pick<CharityRow, 'logo_key'>,
): Promise<string | null> {
  const file = logo_key === null ? null : await fileStore(db, 'images').find(logo_key);
  if (!file) return null;
  return `data:${file.type};base64,${(await buffer(file.open())).toString('base64')}`;
}
