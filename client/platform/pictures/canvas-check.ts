/** The pattern's cells in pixels, and the side of all that is compared. */
const CELL = 6;
const SIDE = 24;
/** Differences of 0 to 255 that nobody sees. Browsers that hide which device they are on may change the last bits. */
const PIXEL_MAX = 12;
/** On average, after a lossy encoding. */
const MEAN_MAX = 14;

type Reading = Uint8ClampedArray;

/**
 * Whether this browser reads and encodes canvases as they were drawn. Those that protect against fingerprints return noise or an empty
 * picture. The user may allow it at any time, so it is asked each time.
 */
export async function isCanvasTrue(): Promise<boolean> {
  const canvas = square();
  const context = contextOf(canvas);
  const expected: number[] = [];
  for (let y = 0; y < SIDE; y += CELL)
    for (let x = 0; x < SIDE; x += CELL) {
      context.fillStyle = `rgb(${colorAt(x, y).join(' ')})`;
      context.fillRect(x, y, CELL, CELL);
    }
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) expected.push(...colorAt(x - (x % CELL), y - (y % CELL)), 255);
  const isAsDrawn = (read: Reading) =>
    expected.every((value, i) => Math.abs(value - (read[i] ?? 0)) <= PIXEL_MAX);
  if (!isAsDrawn(readingOf(context))) return false;
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  const copy = blob && (await createImageBitmap(blob).catch(() => null));
  if (!copy) return false;
  const isSame = isAsDrawn(drawn(copy, [0, 0, SIDE, SIDE]));
  copy.close();
  return isSame;
}

/** Whether an encoded picture looks like the canvas that it was made from: as a whole, and in its middle. */
export async function looksLike(blob: Blob, canvas: HTMLCanvasElement): Promise<boolean> {
  const copy = await createImageBitmap(blob).catch(() => null);
  if (!copy) return false;
  const { width, height } = canvas;
  const middle = [width, height].map((side) => Math.max(0, Math.floor((side - SIDE) / 2)));
  const areas: Area[] = [
    [0, 0, width, height],
    [middle[0] ?? 0, middle[1] ?? 0, Math.min(SIDE, width), Math.min(SIDE, height)],
  ];
  const isSame =
    copy.width === width &&
    copy.height === height &&
    areas.every((area) => meanDifference(drawn(copy, area), drawn(canvas, area)) <= MEAN_MAX);
  copy.close();
  return isSame;
}

type Area = readonly [x: number, y: number, width: number, height: number];

/** Returns an area of a picture in the compared size, on white. */
function drawn(source: CanvasImageSource, [x, y, width, height]: Area): Reading {
  const context = contextOf(square());
  context.fillStyle = '#fff';
  context.fillRect(0, 0, SIDE, SIDE);
  context.drawImage(source, x, y, width, height, 0, 0, SIDE, SIDE);
  return readingOf(context);
}

function meanDifference(a: Reading, b: Reading): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}

const colorAt = (x: number, y: number): [number, number, number] => [
  (40 + x * 9) % 256,
  (200 + y * 7) % 256,
  (x * 5 + y * 11) % 256,
];

function square(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  return Object.assign(canvas, { width: SIDE, height: SIDE });
}

/** @throws if this browser has no canvases */
function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('No canvas');
  return context;
}

const readingOf = (context: CanvasRenderingContext2D): Reading =>
  context.getImageData(0, 0, SIDE, SIDE).data;
