import type { Endpoint } from '#shared/endpoint.ts';
import { imageUpload, NOT_AN_IMAGE } from '#shared/files/contract.ts';
import { ShownError } from '../http/shown-error.ts';
import { UNREADABLE } from '../http/unreadable-file.ts';
import { isCanvasTrue, looksLike } from './canvas-check.ts';
import { isWhole, kindOf, type PictureKind } from './picture-bytes.ts';

/** A picture that is ready to be sent, with its size in pixels. */
export interface Picture {
  file: File;
  width: number;
  height: number;
}

/** What an upload accepts. */
export interface PictureRules {
  /** Refuses a larger file, even if it can be scaled down. */
  endpoint?: Pick<Endpoint, 'upload'>;
  /** Message for a file that isn't an image. */
  notAnImage?: string;
}

const LONGEST_SIDE = 1_024;
/** SVG has no size of its own in pixels. */
const DRAWN_SIDE = 512;
const QUALITY = 0.85;
/** A larger PNG is a photo. */
const PNG_MAX_BYTES = 300_000;
/** Photos of current phones are smaller; reading more would exhaust the memory of a phone. */
const READ_MAX_BYTES = 100 * 1024 * 1024;
/** What the server decodes itself. */
const SENT_AS_IS: ReadonlySet<PictureKind> = new Set(['jpeg', 'png', 'gif', 'webp', 'avif']);

const CUT_OFF = 'A part of this photo is missing. Choose another one.';
const BROKEN = 'This photo is damaged. Choose another one.';
const UNKNOWN_KIND = 'This browser can’t open this kind of photo. Choose a JPEG or PNG.';

/**
 * Reads a chosen picture, the only way into an upload: checks that the server will accept it, and scales it down for slow
 * connections, which also removes the camera's metadata. All is read now: the file may change before it is sent.
 * @throws ShownError if it isn't a whole picture that this browser can show and send
 */
export async function readPicture(
  chosen: File,
  { endpoint, notAnImage = NOT_AN_IMAGE }: PictureRules = {},
): Promise<Picture> {
  const upload = endpoint?.upload ?? imageUpload;
  if (chosen.size > (endpoint ? upload.maxBytes : READ_MAX_BYTES))
    throw new ShownError(upload.tooLarge);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await chosen.arrayBuffer());
  } catch (cause) {
    throw new ShownError(UNREADABLE, { cause });
  }
  const kind = kindOf(bytes);
  if (!kind) throw new ShownError(notAnImage);
  if (!isWhole(kind, bytes)) throw new ShownError(CUT_OFF);
  const type = kind === 'svg' ? 'image/svg+xml' : `image/${kind}`;
  const { name, lastModified } = chosen;
  const original = new File([bytes], name, { type, lastModified });
  const decoded = await decode(original);
  if (!decoded) {
    if (bytes.length > upload.maxBytes) throw new ShownError(upload.tooLarge);
    throw new ShownError(SENT_AS_IS.has(kind) && kind !== 'avif' ? BROKEN : UNKNOWN_KIND);
  }
  const { source, width, height } = decoded;
  const side = Math.max(width, height);
  const scale = kind === 'svg' ? DRAWN_SIDE / side : Math.min(1, LONGEST_SIDE / side);
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const small = await encode(source, size, upload.maxBytes).catch(() => null);
  if (source instanceof ImageBitmap) source.close();
  if (small) return { ...size, file: new File([small], name, { type: small.type, lastModified }) };
  if (!SENT_AS_IS.has(kind)) throw new ShownError(UNKNOWN_KIND);
  if (bytes.length > upload.maxBytes) throw new ShownError(upload.tooLarge);
  return { file: original, width, height };
}

/** Decodes a picture; null if this browser can't. */
async function decode(file: File) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap) return { source: bitmap, width: bitmap.width, height: bitmap.height };
  // Some formats are for elements only: SVG everywhere, HEIC in Safari.
  const image = new Image();
  const url = URL.createObjectURL(file);
  try {
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    return width && height ? { source: image, width, height } : null;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Draws a picture in a size and encodes it; null if this browser can't, or changes what canvases contain. */
async function encode(
  source: CanvasImageSource,
  { width, height }: { width: number; height: number },
  maxBytes: number,
): Promise<Blob | null> {
  if (!(await isCanvasTrue())) return null;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(source, 0, 0, width, height);
  // Safari encodes no WebP and answers with a PNG, which keeps a drawing's transparency and makes a photo ten times as large.
  for (const type of ['image/webp', 'image/jpeg']) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
    if (!blob || !(await looksLike(blob, canvas))) return null;
    if (blob.size <= (blob.type === type ? maxBytes : PNG_MAX_BYTES)) return blob;
  }
  return null;
}
