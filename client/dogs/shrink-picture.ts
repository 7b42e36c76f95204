import { uploadDogImage } from '#shared/dogs/contract.ts';
import { NOT_AN_IMAGE } from '#shared/files/contract.ts';
import { imageProblem } from '../ui/inputs/validate-image.ts';
import { ShownError } from '../http/shown-error.ts';

const LONGEST_SIDE = 1_024;
const QUALITY = 0.85;

/**
 * Scales a picture down for slow connections, which also removes the camera's metadata. Returns a picture that this browser
 * can't decode unchanged, because the server may know the format.
 * @throws with a message for the user if the file isn't an image or is too large to upload unchanged
 */
export async function shrinkPicture(file: Blob): Promise<Blob> {
  const problem = await imageProblem(file, uploadDogImage);
  if (problem === NOT_AN_IMAGE) throw new ShownError(problem);
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) {
    if (problem) throw new ShownError(problem);
    return file;
  }
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const small = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/webp', QUALITY),
  );
  return small ?? file;
}
