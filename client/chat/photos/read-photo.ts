import { shrinkPicture } from '../../dogs/shrink-picture.ts';

/** A photo that is ready to be sent, with its size in pixels. */
export interface NewPhoto {
  file: Blob;
  width: number;
  height: number;
}

/** The size of a photo that this browser can’t decode. */
const UNKNOWN = { width: 1_024, height: 768 };

/**
 * Scales a photo down for sending, which also removes the camera’s metadata.
 * @throws with a message for the user if the file isn’t an image or is too large
 */
export async function readPhoto(chosen: File): Promise<NewPhoto> {
  const file = await shrinkPicture(chosen);
  const bitmap = await createImageBitmap(file).catch(() => null);
  const { width, height } = bitmap ?? UNKNOWN;
  bitmap?.close();
  return { file, width, height };
}
