/** Formats of pictures, by their first bytes. */
export type PictureKind =
  | 'jpeg'
  | 'png'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'heic'
  | 'tiff'
  | 'bmp'
  | 'svg';

const HEADER_BYTES = 512;
const SIGNATURES: readonly (readonly [PictureKind, RegExp])[] = [
  ['jpeg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG/],
  ['gif', /^GIF8/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['tiff', /^(II\*\0|MM\0\*)/],
  ['bmp', /^BM.{4}\0{4}/s],
  ['avif', /^.{4}ftypavi[fs]/s],
  ['heic', /^.{4}ftyp/s],
  ['svg', /^\s*(<\?xml|<!--|<!DOCTYPE svg|<svg)/i],
];

/** Returns the kind of a picture, whatever its name and type; null if it isn't one. Devices infer the type from the name only. */
export function kindOf(bytes: Uint8Array): PictureKind | null {
  const text = String.fromCharCode(...bytes.subarray(0, HEADER_BYTES));
  return SIGNATURES.find(([, signature]) => signature.test(text))?.[0] ?? null;
}

/** Whether a picture has its end: browsers also show half of one, which the server refuses. Kinds without a sign of it have it. */
export function isWhole(kind: PictureKind, bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kind === 'jpeg') return isWholeJpeg(view);
  if (kind === 'png') return isWholePng(view);
  if (kind === 'webp') return view.getUint32(4, true) + 7 <= bytes.length;
  if (kind === 'avif' || kind === 'heic') return areWholeBoxes(view);
  if (kind === 'gif') return bytes[bytes.findLastIndex((byte) => byte !== 0)] === 0x3b;
  if (kind === 'bmp') return view.getUint32(2, true) <= bytes.length;
  return true;
}

/** The end marker follows the scans; thumbnails among the metadata have one of their own. */
function isWholeJpeg(view: DataView): boolean {
  const [SCAN, END] = [0xda, 0xd9];
  let at = 2;
  while (at + 4 <= view.byteLength) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) return false;
    // Fill bytes.
    if (marker === 0xff) at++;
    else if (marker === END) return true;
    else {
      at += 2 + view.getUint16(at + 2);
      if (marker === SCAN) at = endOfScan(view, at);
    }
  }
  return at + 2 <= view.byteLength && view.getUint16(at) === 0xff00 + END;
}

/** Returns the offset of the marker after a scan's data, which has none but restarts. */
function endOfScan(view: DataView, start: number): number {
  for (let at = start; at + 2 <= view.byteLength; at++) {
    if (view.getUint8(at) !== 0xff) continue;
    const next = view.getUint8(at + 1);
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
  }
  return view.byteLength;
}

function isWholePng(view: DataView): boolean {
  const END = 0x49454e44;
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at))
    if (view.getUint32(at + 4) === END) return true;
  return false;
}

function areWholeBoxes(view: DataView): boolean {
  let at = 0;
  while (at + 8 <= view.byteLength) {
    const size = view.getUint32(at);
    // Up to the end of the file.
    if (size === 0) return true;
    if (size === 1 && at + 16 > view.byteLength) return false;
    const bytes = size === 1 ? Number(view.getBigUint64(at + 8)) : size;
    if (bytes < 8) return false;
    at += bytes;
  }
  return at === view.byteLength;
}
