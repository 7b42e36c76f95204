import type { Page } from '@playwright/test';
import { expect, expectAccessible, offlineTest, test, untilStored } from '../../browser.ts';
import { befriend } from '../../friends/befriend.ts';
import { untilSaved } from '../../my-dogs.ts';
import { choose, messages, openChat, stateOf } from '../chat-screen.ts';

/** Gives a page a microphone that hears a tone. */
const withTone = (page: Page) =>
  page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => {
      const context = new AudioContext();
      const target = context.createMediaStreamDestination();
      const tone = context.createOscillator();
      tone.connect(target);
      tone.start();
      return Promise.resolve(target.stream);
    };
  });

/** Waits until a recording has played further than this: it may be over between two looks from outside. */
const untilPlayed = (page: Page, further: number) =>
  page.waitForFunction((than) => {
    const slider = document.querySelector<HTMLInputElement>('[role=log] input[type=range]');
    return slider && Number(slider.value) > than;
  }, further);

const timeOf = (page: Page) =>
  page
    .getByRole('slider', { name: /^Position in the voice note/ })
    .evaluate((slider: HTMLInputElement) => [Number(slider.value), Number(slider.max)] as const);

offlineTest(
  'a voice note is recorded offline, arrives later, and is played with the keyboard',
  async ({ owner }) => {
    test.slow();
    const alex = await owner({ name: 'Alex' });
    const sam = await owner({ name: 'Sam' });
    await befriend(alex, sam);
    const { page, context } = alex;
    await withTone(page);
    await openChat(sam.page, alex);
    await openChat(page, sam);
    await untilSaved(page);
    await untilStored(page);
    await page.setViewportSize({ width: 360, height: 640 });
    await context.setOffline(true);

    // Canceled: nothing is sent.
    const start = page.getByRole('button', { name: 'Record a voice note' });
    await start.click();
    await expect(page.getByRole('button', { name: 'Stop recording' })).toBeFocused();
    await page.getByRole('button', { name: 'Cancel recording' }).click();
    await expect(start).toBeFocused();

    await start.press('Enter');
    await expect(page.getByText('0:02 of 1:00')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Stop recording' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Play your voice note' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send the voice note' }).click();
    await expect(messages(page)).toHaveCount(1);
    await expect(page.locator('[data-delivery]')).toHaveText('Waiting for connection');

    // It is still there after a start without a network.
    await page.reload();
    const play = page.getByRole('button', { name: 'Play the voice note from you' });
    await expect(play).toBeVisible();
    await Promise.all([untilPlayed(page, 0), play.click()]);

    await context.setOffline(false);
    const playTheirs = sam.page.getByRole('button', { name: 'Play the voice note from Alex' });
    await expect(playTheirs).toBeVisible({ timeout: 40_000 });
    await expect(stateOf(page, '')).toHaveText('Read');
    await expectAccessible(sam.page);
    const slider = sam.page.getByRole('slider', { name: 'Position in the voice note from Alex' });
    await slider.press('ArrowRight');
    await expect.poll(async () => (await timeOf(sam.page))[0]).toBe(1);
    // The real length, which recordings of Chromium don't say.
    await expect.poll(async () => Number.isInteger((await timeOf(sam.page))[1])).toBe(false);
    await Promise.all([
      sam.page.waitForSelector('[aria-label="Pause the voice note from Alex"]'),
      untilPlayed(sam.page, 1),
      playTheirs.press('Enter'),
    ]);

    await page.getByRole('button', { name: /^Actions for the message/ }).press('Enter');
    await expect(page.getByRole('menuitem')).toHaveText(['Reply', 'Unsend']);
    await page.keyboard.press('Escape');
    await choose(page, '', 'Unsend');
    await expect(messages(sam.page)).toHaveCount(0, { timeout: 40_000 });
  },
);
