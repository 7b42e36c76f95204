import type { Page } from '@playwright/test';
import { devices } from '@playwright/test';
import { expect, expectAccessible, test } from '../browser.ts';

const { userAgent } = devices['Pixel 7'];
const ANDROID = { viewport: { width: 360, height: 740 }, userAgent, hasTouch: true };
const HERE = { latitude: -33 - Math.random(), longitude: 20 };
const OPTION = 'Keep sounds on with the screen locked';

/** What plays in the page, and what the system shows of it. */
const media = (page: Page) =>
  page.evaluate(() => {
    const { audios, handled } = window as unknown as {
      audios: HTMLAudioElement[];
      handled: Record<string, unknown>;
    };
    return {
      playing: audios.filter(({ paused, loop, muted }) => !paused && loop && !muted).length,
      title: navigator.mediaSession.metadata?.title ?? null,
      handled: Object.keys(handled).filter((action) => handled[action]),
    };
  });

/** Notes the page's audio elements and its handlers of media keys; both stay the browser's. */
const observeMedia = () => {
  const audios: HTMLAudioElement[] = [];
  const handled: Record<string, MediaSessionActionHandler | null> = {};
  Object.assign(window, { audios, handled });
  window.Audio = class extends Audio {
    constructor(src?: string) {
      super(src);
      audios.push(this);
    }
  };
  const set = MediaSession.prototype.setActionHandler;
  MediaSession.prototype.setActionHandler = function note(action, handler) {
    handled[action] = handler;
    set.call(this, action, handler);
  };
};

const NOTHING = { playing: 0, title: null, handled: [] };

test('on Android, a media session lasts as long as the walk, if the owner wants it, until they pause it', async ({
  owner,
}) => {
  const { page, context } = await owner({
    dogs: [{ name: 'Rex', sound_type: 'leash_on' }],
    at: HERE,
    context: ANDROID,
  });
  await context.addInitScript(observeMedia);
  // Off by default.
  await page.goto('/home');
  await page.getByRole('button', { name: 'Start walk' }).click();
  const end = page.getByRole('button', { name: 'End walk' });
  await expect(end).toBeVisible();
  expect(await media(page)).toEqual(NOTHING);
  await page.goto('/settings#alerts');
  const option = page.getByRole('switch', { name: OPTION });
  await expect(option).toHaveAccessibleDescription(/pauses music and podcasts/);
  await expect(option).not.toBeChecked();
  await option.click();
  const playing = { playing: 1, title: 'Walk with Rex', handled: ['pause', 'stop'] };
  await expect.poll(() => media(page)).toEqual(playing);
  await expectAccessible(page);

  // It stops with the walk, and starts with the next one.
  await page.getByRole('link', { name: 'Walk', exact: true }).click();
  await end.click();
  await expect.poll(() => media(page)).toEqual(NOTHING);
  await page.goto('/home');
  await page.getByRole('button', { name: 'Start walk' }).click();
  await expect.poll(() => media(page)).toEqual(playing);

  // Paused in the notification: for this walk only, and the screen says so.
  await page.evaluate(() =>
    (window as unknown as { handled: Record<string, () => void> }).handled['pause']?.(),
  );
  await expect(page.getByText(/^Sounds stop when your screen locks/)).toBeVisible();
  await expect.poll(() => media(page)).toEqual(NOTHING);
  await page.goto('/settings#alerts');
  await expect(option).toBeChecked();
  await option.press('Tab');
  expect(await media(page)).toEqual(NOTHING);
});

test('other systems have no media session to offer', async ({ owner }) => {
  const { page } = await owner();
  await page.goto('/settings#alerts');
  await expect(page.getByRole('switch', { name: 'Vibration' })).toBeVisible();
  await expect(page.getByRole('switch', { name: OPTION })).toHaveCount(0);
});
