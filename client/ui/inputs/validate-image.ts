import type { Endpoint } from '#shared/endpoint.ts';
import { NOT_AN_IMAGE } from '#shared/files/contract.ts';

const HEADER_BYTES = 512;
/** The first bytes of JPEG, PNG, GIF, WebP, TIFF and BMP files. HEIC and AVIF have a box named 'ftyp', and SVG is text. */
const SIGNATURES = [
  /^\xff\xd8\xff/,
  /^\x89PNG/,
  /^GIF8/,
  /^RIFF.{4}WEBP/s,
  /^(II\*\0|MM\0\*)/,
  /^BM.{4}\0{4}/s,
  /^.{4}ftyp/s,
  /^\s*(<\?xml|<!--|<!DOCTYPE svg|<svg)/i,
];

/** Whether a file begins like an image. Devices infer its type from the name only. */
async function beginsLikeImage(file: Blob): Promise<boolean> {
  const header = new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer());
  const text = String.fromCharCode(...header);
  return SIGNATURES.some((signature) => signature.test(text));
}

/**
 * Validates an image before an upload. Returns a message, or '' if it is valid.
 * @param noImage message for a file that isn't an image
 */
export async function imageProblem(
  file: Blob,
  { upload }: Pick<Endpoint, 'upload'>,
  noImage = NOT_AN_IMAGE,
): Promise<string> {
  if (!file.type.startsWith('image/')) return noImage;
  if (upload && file.size > upload.maxBytes) return upload.tooLarge;
  return (await beginsLikeImage(file)) ? '' : noImage;
}
