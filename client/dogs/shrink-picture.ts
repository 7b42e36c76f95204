import { uploadDogImage } from '#shared/dogs/contract.ts';
import { NOT_AN_IMAGE } from '#shared/files/contract.ts';
import { imageProblem } from '../ui/validate-image.ts';

const LONGEST_SIDE = 1_024;
const QUALITY = 0.85;

/**
 * Makes a picture small enough for a bad signal, and leaves out what a camera writes about place and time.
 * What this browser cannot draw goes as it is: the server may know the format.
 * @throws with words for the person when the file is no image, or too big to send as it is
 */
export async function shrinkPicture(file: Blob): Promise<Blob> {
  const problem = imageProblem(file, uploadDogImage);
  if (problem === NOT_AN_IMAGE) throw new Error(problem);
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) {
    if (problem) throw new Error(problem);
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
