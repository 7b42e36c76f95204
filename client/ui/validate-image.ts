import type { Endpoint } from '#shared/endpoint.ts';
import { NOT_AN_IMAGE } from '#shared/files/contract.ts';

/**
 * Validates an image before an upload. Returns a message, or '' if it is valid.
 * @param noImage message for a file that isn't an image
 */
export function imageProblem(
  file: Blob,
  { upload }: Pick<Endpoint, 'upload'>,
  noImage = NOT_AN_IMAGE,
): string {
  if (!file.type.startsWith('image/')) return noImage;
  return upload && file.size > upload.maxBytes ? upload.tooLarge : '';
}
