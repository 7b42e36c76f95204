import { LOGO_NO_IMAGE } from '#shared/charities/contract.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import type { UploadedFile } from '../../platform/http/upload.ts';
import type { Services } from '../../platform/services.ts';

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
    return await images.put(path, `charity:${id}`);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new HttpError(415, LOGO_NO_IMAGE, { fields: { logo: LOGO_NO_IMAGE }, cause: error });
  }
}
