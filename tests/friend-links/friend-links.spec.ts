import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { encodeQR } from 'qr';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import { createFriendRequest } from '#shared/friends/contract.ts';
import { uploadProfileImage } from '#shared/profile/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/test/chromium.ts';
import { expect, expectAccessible, loginUrl, test } from '../browser.ts';
import { befriend } from '../friends/befriend.ts';

/** What the camera of these tests films. Chromium reads it when a camera starts. */
const film = join(tmpdir(), `camera-${process.pid}.y4m`);
test.afterAll(() => rm(film, { force: true }));
test.use({
  launchOptions: {
    executablePath: findChromium(process.env),
    args: [
      ...CHROMIUM_FLAGS,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  },
});

/** Makes the camera film this picture: small, tilted, a bit blurred, and without pure black and white. */
async function pointCameraAt(picture: string | Buffer): Promise<void> {
  const [width, height] = [640, 480];
  const tilted = await sharp(Buffer.from(picture))
    .flatten({ background: 'white' })
    .resize(300, 300)
    .rotate(11, { background: '#8a8a8a' })
    .toBuffer();
  const light = await sharp(tilted)
    .resize(width, height, { fit: 'contain', background: '#8a8a8a' })
    .blur(0.8)
    .linear(0.6, 50)
    .greyscale()
    .raw()
    .toBuffer();
  const noColor = Buffer.alloc(light.length / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, noColor]);
  await writeFile(film, [`YUV4MPEG2 W${width} H${height} F30:1 Ip A1:1 C420jpeg\n`, frame]);
}

/** Reads a QR code from a picture of the screen, as a camera does, and expects black on white. */
async function scan(code: Locator): Promise<string> {
  const picture = sharp(await code.screenshot()).removeAlpha();
  const { channels } = await picture.clone().stats();
  for (const { min, max } of channels) expect([min, max]).toEqual([0, 255]);
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data });
}

test('a scanned QR code leads through sign-in to a friend request, until it is replaced', async ({
  owner,
  page,
  context,
  origin,
}) => {
  const alex = await owner({ name: 'Alex', dogs: [{ name: 'Rex', sound_type: 'leash_on' }] });
  const sam = await owner({ name: 'Sam' });
  await alex.page.goto('/social');
  await alex.page.getByRole('button', { name: 'My QR code' }).click();
  const sheet = alex.page.getByRole('dialog', { name: 'My QR code' });
  const code = sheet.getByRole('img', { name: /^QR code/ });
  await expect(code).toBeVisible();
  await expectAccessible(alex.page);
  await alex.page.emulateMedia({ colorScheme: 'dark' });
  await expect(code).toHaveAccessibleName(/\?now=/);
  const link = await scan(code);
  const shared = sheet.getByLabel(/^Or share this link/);
  // What the screen shows is for a scan now; the shared link is for a request.
  const url = new URL(link);
  await expect(shared).toHaveValue(url.origin + url.pathname);

  // The camera app opens the link in a browser that no one has signed in to.
  await page.goto(await shared.inputValue());
  await expect(page).toHaveURL(/\/(welcome|access-code)$/);
  await expect(
    page.getByRole('heading', { name: 'Alex and Rex want to walk with you' }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.goto(await loginUrl(context, origin, sam.user.email));
  await expect(page).toHaveURL(`/people/${alex.user.id}`);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Alex' })).toBeVisible();
  await expect(main.getByText('Rex')).toBeVisible();
  // The reasons of the score are folded, and a newcomer's score isn't shown at all.
  await expect(main.getByText('Time without complaints.')).toBeHidden();
  await expectAccessible(page);
  // A phone shows the request without scrolling.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(main.getByRole('button', { name: 'Send Friend Request' })).toBeInViewport({
    ratio: 1,
  });
  await main.getByRole('button', { name: 'Send Friend Request' }).click();
  await expect(main).toContainText('Friend request pending');
  await expect(main.getByRole('button', { name: 'Withdraw Request' })).toBeVisible();

  await sheet.getByRole('button', { name: 'Replace this QR code' }).click();
  await alex.page.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect(shared).not.toHaveValue(url.origin + url.pathname);
  await page.goto(url.origin + url.pathname);
  await expect(page.getByText('This QR code doesn’t work anymore')).toBeVisible();
  await expectAccessible(page);
});

test('a profile page names mutual friends, and lists show the photo and dogs of who asks', async ({
  owner,
  origin,
}) => {
  const alex = await owner({ name: 'Alex', dogs: [{ name: 'Rex', sound_type: 'leash_on' }] });
  const [sam, kim] = [await owner({ name: 'Sam' }), await owner({ name: 'Kim' })];
  await befriend(alex, kim);
  await befriend(sam, kim);
  const file = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const uploaded = await alex.context.request.post(`${origin}${pathOf(uploadProfileImage, {})}`, {
    multipart: { image: { name: 'photo.png', mimeType: 'image/png', buffer: file } },
  });
  expect(uploaded.ok()).toBe(true);
  await alex.call(createFriendRequest, { body: { receiver_user_id: sam.user.id } });
  const { page } = sam;
  await page.goto('/social?tab=requests');
  const row = page.getByRole('listitem').filter({ hasText: 'Alex' });
  await expect(row.locator('img')).toBeVisible();
  await expect(row).toContainText('Rex');
  await expectAccessible(page);
  await row.getByRole('link', { name: 'Alex' }).click();
  await expect(page).toHaveURL(`/people/${alex.user.id}`);
  const mutual = page.getByRole('region', { name: 'Mutual friends' });
  await expect(mutual.getByRole('link', { name: 'Kim' })).toBeVisible();
  await expectAccessible(page);
  await mutual.getByRole('link', { name: 'Kim' }).click();
  await expect(page.getByRole('heading', { name: 'Kim' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Send Message' })).toBeVisible();
});

test('a scan of a shown code by this app makes friends at once, and by another app after a tap', async ({
  owner,
}) => {
  const [alex, sam] = [await owner({ name: 'Alex' }), await owner({ name: 'Sam' })];
  await alex.page.goto('/social?open=qr');
  const code = alex.page.getByRole('img', { name: /^QR code/ });
  await pointCameraAt(encodeQR('https://example.com/people/add/x', 'svg', { border: 4 }));
  await sam.page.goto('/social');
  // Another app has the camera at first.
  await sam.page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => {
      delete (navigator.mediaDevices as Partial<MediaDevices>).getUserMedia;
      return Promise.reject(new DOMException('', 'NotReadableError'));
    };
  });
  await sam.page.getByRole('button', { name: 'Scan a QR code' }).click();
  const sheet = sam.page.getByRole('dialog', { name: 'Scan a QR code' });
  await expect(sheet).toContainText('Another app may be using it.');
  await sheet.getByRole('button', { name: 'Try again' }).click();
  await expect(sheet.getByText('This isn’t a Leashwise friend code.')).toBeVisible();
  await expectAccessible(sam.page);
  await sam.page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await pointCameraAt(await code.screenshot());
  await sam.page.getByRole('button', { name: 'Scan a QR code' }).click();
  await expect(sam.page).toHaveURL(`/people/${alex.user.id}`);
  await expect(sam.page.getByText('You and Alex are friends')).toBeVisible();
  await expect(sam.page.getByRole('link', { name: 'Send Message' })).toBeVisible();
  await expect(alex.page.getByText('You and Sam are friends')).toBeVisible();

  const kim = await owner({ name: 'Kim' });
  await alex.page.reload();
  await expect(code).toHaveAccessibleName(/\?now=/);
  await kim.page.goto(await scan(code));
  await expect(kim.page.getByText(/^Become friends with Alex/)).toBeVisible();
  await expectAccessible(kim.page);
  await kim.page.getByRole('button', { name: 'Add friend' }).click();
  await expect(kim.page.getByRole('link', { name: 'Send Message' })).toBeVisible();
});
