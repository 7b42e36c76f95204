import type { Endpoint } from '#shared/endpoint.ts';
import { NOT_AN_IMAGE } from '#shared/files/contract.ts';

/**
 * What is wrong with a file as the picture that a call takes, before it is sent; '' when nothing is.
 * @param noImage what is said of a file of another kind
 */
export function imageProblem(
  file: Blob,
  { upload }: Pick<Endpoint, 'upload'>,
  noImage = NOT_AN_IMAGE,
): string {
  if (!file.type.startsWith('image/')) return noImage;
  return upload && file.size > upload.maxBytes ? upload.tooLarge : '';
}
