import type { Page } from '@playwright/test';
import { writeWav } from '#shared/sounds/wav.ts';
import { expect, expectAccessible, offlineTest, test, untilStored } from '../browser.ts';
import { syncChip, untilSaved } from '../my-dogs.ts';
import { tone } from './tone.ts';

const sounds = (page: Page) => page.getByRole('region', { name: 'Alert sounds', exact: true });
const row = (page: Page, word: string) =>
  sounds(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(word, { exact: true }) });
const file = (name: string, seconds: number) => ({
  name,
  mimeType: 'audio/wav',
  buffer: Buffer.from(writeWav(tone(seconds))),
});

offlineTest(
  'an owner chooses a custom sound offline, and it plays on each device',
  async ({ owner, device }) => {
    const phone = await owner({ context: { viewport: { width: 360, height: 740 } } });
    const { page } = phone;
    await page.goto('/settings#sounds');
    await expect(row(page, 'Needs space')).toContainText('Beep and deep bark');
    await untilSaved(page);
    await untilStored(page);
    await phone.context.setOffline(true);
    await row(page, 'Needs space')
      .getByRole('button', { name: /Use your own/ })
      .click();
    const form = page.getByRole('dialog', { name: 'Your own sound: needs space' });
    await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
    await form.getByLabel('Choose a file').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('no sound'),
    });
    await expect(form.getByRole('alert').filter({ hasText: 'audio file' })).toHaveText(
      'Please select an audio file',
    );
    // Apple Lossless, which few browsers can decode.
    await form.getByLabel('Choose a file').setInputFiles({
      name: 'bark.m4a',
      mimeType: 'audio/mp4',
      buffer: Buffer.from('\0\0\0\x1cftypM4A \0\0\0\0alac'),
    });
    await expect(form.getByRole('alert').filter({ hasText: 'kind of sound' })).toHaveText(
      'This browser can’t open this kind of sound. Choose an MP3 or WAV file.',
    );
    await form.getByLabel('Choose a file').setInputFiles(file('long.wav', 12));
    await expect(form.getByRole('alert').filter({ hasText: 'longer' })).toHaveText(
      'A sound can’t be longer than 10 seconds',
    );
    // Too large for ten seconds, so it's rejected without decoding.
    await form
      .getByLabel('Choose a file')
      .setInputFiles({ name: 'hour.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(21e6) });
    await expect(form.getByRole('alert').filter({ hasText: 'longer' })).toHaveText(
      'A sound can’t be longer than 10 seconds',
    );
    await form.getByLabel('Choose a file').setInputFiles(file('Deep Rex.wav', 2));
    await expect(form.getByRole('status')).toContainText('Deep Rex.wav: 2.0 seconds');
    await expect(form.getByLabel('Name')).toHaveValue('Deep Rex');
    await form.getByLabel('Name').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByRole('alert').filter({ hasText: 'Required' })).toBeVisible();
    await form.getByLabel('Name').fill('Our Rex');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Play', exact: true }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toBeHidden();
    await expect(row(page, 'Needs space')).toContainText('Our Rex');
    await expect(row(page, 'Needs space')).toContainText('on this device');
    await expect(syncChip(page)).toContainText('to send');

    // The queued upload survives a reload.
    await page.reload();
    await expect(row(page, 'Needs space')).toContainText('Our Rex');
    await phone.context.setOffline(false);
    await untilSaved(page);
    await expect(row(page, 'Needs space')).toContainText('Your own sound');

    const tablet = await device(phone);
    await tablet.page.goto('/settings#sounds');
    await expect(row(tablet.page, 'Needs space').getByRole('status')).toHaveText('Your own sound');
    await untilStored(tablet.page);
    await tablet.context.setOffline(true);
    await tablet.page.getByRole('link', { name: /^Alerts / }).click();
    await tablet.page.getByRole('link', { name: 'Test Alerts' }).click();
    await tablet.page.getByRole('button', { name: 'Test alert' }).click();
    await expect(tablet.page.getByRole('log')).toContainText('Played: your own sound');
    await tablet.context.setOffline(false);

    await row(page, 'Needs space').getByRole('button', { name: 'Remove Our Rex' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(row(page, 'Needs space')).toContainText('Default sound');
    await untilSaved(page);
    await tablet.page.goto('/settings#sounds');
    await expect(row(tablet.page, 'Needs space')).toContainText('Beep and deep bark');
  },
);

test('an owner records, plays and saves a custom sound', async ({ owner }) => {
  const { page, context } = await owner();
  // The microphone of the test hums; the recorder, the decoder and the player are the browser's own.
  await context.addInitScript(() => {
    let microphones = 0;
    navigator.mediaDevices.getUserMedia = async () => {
      microphones += 1;
      document.documentElement.dataset['microphones'] = String(microphones);
      // A delay as for a permission prompt.
      await new Promise((resolve) => setTimeout(resolve, 400));
      const audio = new AudioContext();
      const hum = audio.createOscillator();
      const microphone = audio.createMediaStreamDestination();
      hum.connect(microphone);
      hum.start();
      await audio.resume();
      return microphone.stream;
    };
  });
  await page.goto('/settings#sounds');
  await row(page, 'Friendly')
    .getByRole('button', { name: /Use your own/ })
    .click();
  const form = page.getByRole('dialog', { name: 'Your own sound: friendly' });
  await form.getByRole('button', { name: 'Record', exact: true }).dblclick();
  await expect(form.getByRole('status')).toContainText('Recording, for at most 10 seconds');
  await expect(page.locator('html')).toHaveAttribute('data-microphones', '1');
  // A short recording is enough.
  await page.waitForTimeout(1_200);
  await form.getByRole('button', { name: 'Stop recording' }).click();
  await expect(form.getByRole('status')).toContainText(/Recorded: \d+\.\d seconds/);
  await form.getByLabel('Name').fill('Hum');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, 'Friendly')).toContainText('Hum');
  await untilSaved(page);
  await expect(row(page, 'Friendly').getByRole('status')).toHaveText('Your own sound');
});

test('explains how to allow a blocked microphone', async ({ owner }) => {
  const { page, context } = await owner();
  await context.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('denied', 'NotAllowedError'));
  });
  await page.goto('/settings?open=sound&type=leash_on');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'microphone' })).toContainText(
    'Allow it for this site in your browser’s settings',
  );
});
