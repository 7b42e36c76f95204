import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { listDogs } from '#shared/dogs/contract.ts';
import { expect, test, type Owner } from '../browser.ts';
import { untilSaved } from '../my-dogs.ts';

const DOG = { name: 'Rex', sound_type: 'leash_on' } as const;
const form = (page: Page) => page.getByRole('dialog', { name: 'Edit Rex' });
const chooser = (page: Page) => form(page).getByLabel(/photo/);

async function openForm(page: Page) {
  await page.goto('/home');
  await page.getByRole('button', { name: 'Edit Rex' }).click();
}

/** Two halves, orange and blue. */
const halves = () =>
  sharp({ create: { width: 400, height: 200, channels: 3, background: '#e07020' } }).composite([
    {
      input: { create: { width: 200, height: 200, channels: 3, background: '#2040c0' } },
      left: 200,
      top: 0,
    },
  ]);

/** Saves the dog and returns the colors of both halves of the picture that the server then has. */
async function storedColors({ page, context, call }: Owner, origin: string) {
  await form(page).getByRole('button', { name: 'Save' }).click();
  await untilSaved(page);
  await expect.poll(async () => (await call(listDogs)).dogs[0]?.image_key).toBeTruthy();
  const { dogs } = await call(listDogs);
  const file = await context.request.get(`${origin}/api/files/${dogs[0]?.image_key}`);
  const raw = await sharp(await file.body())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = raw.info;
  return [0.25, 0.75].map((share) => {
    const at = (Math.floor(height / 2) * width + Math.floor(width * share)) * channels;
    return [...raw.data.subarray(at, at + 3)];
  });
}

const COLORS = [
  [0xe0, 0x70, 0x20],
  [0x20, 0x40, 0xc0],
];
const differenceOf = (colors: number[][]) =>
  Math.max(
    ...colors.flatMap((color, i) => color.map((value, j) => Math.abs(value - COLORS[i]![j]!))),
  );

for (const where of ['what is encoded', 'what is read, too'] as const)
  test(`sends the picture as it is if the browser adds noise to canvases (${where})`, async ({
    owner,
    origin,
  }) => {
    const sam = await owner({ dogs: [DOG] });
    await sam.context.addInitScript((isRead) => {
      const { toBlob } = HTMLCanvasElement.prototype;
      const { getImageData } = CanvasRenderingContext2D.prototype;
      const noise = (data: Uint8ClampedArray) => {
        for (let i = 0; i < data.length; i++) if (i % 4 < 3) data[i] = Math.random() * 255;
      };
      HTMLCanvasElement.prototype.toBlob = function (...args) {
        const copy = document.createElement('canvas');
        Object.assign(copy, { width: this.width, height: this.height });
        const context = copy.getContext('2d')!;
        const image = context.createImageData(this.width, this.height);
        image.data.fill(255);
        noise(image.data);
        context.putImageData(image, 0, 0);
        toBlob.apply(copy, args);
      };
      if (!isRead) return;
      CanvasRenderingContext2D.prototype.getImageData = function (
        this: CanvasRenderingContext2D,
        ...args: Parameters<typeof getImageData>
      ) {
        const image = getImageData.apply(this, args);
        noise(image.data);
        return image;
      };
    }, where !== 'what is encoded');
    await openForm(sam.page);
    const buffer = await halves().jpeg().toBuffer();
    await chooser(sam.page).setInputFiles({ name: 'rex.jpg', mimeType: 'image/jpeg', buffer });
    await expect(form(sam.page).locator('img[src^="blob:"]')).toBeVisible();
    expect(differenceOf(await storedColors(sam, origin))).toBeLessThan(20);
  });

test('says at once which pictures can’t be used, and converts those that can', async ({
  owner,
  origin,
}) => {
  const sam = await owner({ dogs: [DOG] });
  const { page } = sam;
  await openForm(page);
  const jpeg = await halves().jpeg().toBuffer();
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    chooser(page).setInputFiles({ name, mimeType, buffer });
  const says = (words: string) => expect(form(page).getByText(words)).toBeVisible();

  await choose('rex.jpg', 'image/jpeg', jpeg.subarray(0, jpeg.length / 2));
  await says('A part of this photo is missing. Choose another one.');
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1');
  await choose('rex.heic', 'image/heic', heic);
  await says('This browser can’t open this kind of photo. Choose a JPEG or PNG.');
  const broken = Buffer.concat([
    jpeg.subarray(0, 20),
    Buffer.alloc(300, 1),
    Buffer.from([0xff, 0xd9]),
  ]);
  await choose('rex.jpg', 'image/jpeg', broken);
  await expect(form(page).getByText(/^(This photo is damaged|A part of)/)).toBeVisible();
  await expect(form(page).locator('img[src^="blob:"]')).toHaveCount(0);

  // A photo without an extension has no type.
  await choose('IMG_0007', '', jpeg);
  await expect(form(page).locator('img[src^="blob:"]')).toBeVisible();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1">
    <rect width="1" height="1" fill="#e07020"/><rect x="1" width="1" height="1" fill="#2040c0"/></svg>`;
  await choose('rex.svg', 'image/svg+xml', Buffer.from(svg));
  const picture = form(page).locator('img[src^="blob:"]');
  // The size in which drawings are converted.
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(512);
  expect(differenceOf(await storedColors(sam, origin))).toBeLessThan(20);
});

test('sends the picture that was chosen, and says so if its file has changed meanwhile', async ({
  owner,
  origin,
}) => {
  const sam = await owner({ dogs: [DOG] });
  const { page, context } = sam;
  const directory = await mkdtemp(join(tmpdir(), 'pictures-'));
  const path = join(directory, 'rex.png');
  await writeFile(path, await halves().png().toBuffer());
  await context.addInitScript(() => {
    const { arrayBuffer } = Blob.prototype;
    Blob.prototype.arrayBuffer = async function () {
      const { changed } = window as { changed?: Promise<void> };
      if (this instanceof File) await changed;
      return arrayBuffer.call(this);
    };
  });
  await openForm(page);
  await page.evaluate(() => {
    const changed = new Promise<void>((resolve) => Object.assign(window, { change: resolve }));
    Object.assign(window, { changed });
  });
  await chooser(page).setInputFiles(path);
  await writeFile(path, 'Something else, of another length');
  await page.evaluate(() => (window as unknown as { change: () => void }).change());
  await expect(
    form(page).getByText(
      'We couldn’t read this file. It may have changed or moved. Choose it again.',
    ),
  ).toBeVisible();

  await writeFile(path, await halves().png().toBuffer());
  await chooser(page).setInputFiles(path);
  await expect(form(page).locator('img[src^="blob:"]')).toBeVisible();
  await rm(directory, { recursive: true });
  expect(differenceOf(await storedColors(sam, origin))).toBeLessThan(20);
});
