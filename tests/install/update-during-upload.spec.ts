import sharp from 'sharp';
import { freePort } from '../../scripts/stack/ports.ts';
import { expect, offlineTest, untilStored } from '../browser.ts';
import { input, openChat, stateOf } from '../chat/chat-screen.ts';
import { befriend } from '../friends/befriend.ts';
import { untilSaved } from '../my-dogs.ts';
import { startUpdatableGateway } from './updatable-gateway.ts';

offlineTest(
  'a photo that is being sent arrives once, although the app is updated meanwhile',
  async ({ owner }) => {
    const [alex, sam] = [await owner({ name: 'Alex' }), await owner({ name: 'Sam' })];
    await befriend(alex, sam);
    const gateway = await startUpdatableGateway({
      port: await freePort(),
      apiPort: Number(process.env['TEST_API_PORT']),
      syncPort: Number(process.env['TEST_SYNC_PORT']),
    });
    try {
      const { page } = alex;
      // Accepts the guidelines.
      await openChat(page, sam);
      await page.goto(`${gateway.origin}/home`);
      await untilSaved(page);
      await untilStored(page);
      await page.goto(`${gateway.origin}/chat/${sam.user.id}`);
      await expect(input(page)).toBeEnabled();
      await page.evaluate(() => Object.assign(window, { isOldPage: true }));
      let isHeld = true;
      const keys: (string | undefined)[] = [];
      await page.route('**/api/messages/*/photo', (route, request) => {
        keys.push(request.headers()['idempotency-key']);
        // What is on its way is never answered.
        if (!isHeld) return route.fallback();
      });
      const background = { width: 800, height: 600, channels: 3, background: 'teal' } as const;
      const buffer = await sharp({ create: background }).jpeg().toBuffer();
      const photo = { name: 'walk.jpg', mimeType: 'image/jpeg', buffer };
      await page.getByTestId('chat-photo').setInputFiles(photo);
      await expect(page.getByAltText('Attached')).toBeVisible();
      await input(page).fill('By the lake');
      await input(page).press('Enter');
      await expect.poll(() => keys.length).toBe(1);

      await gateway.update();
      await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
      const prompt = page.getByRole('complementary', { name: 'Update' });
      await expect(prompt).toContainText('A new version is ready.');
      isHeld = false;
      await prompt.getByRole('button', { name: 'Reload' }).click();
      await page.waitForFunction(() => !('isOldPage' in window));
      await expect(stateOf(page, 'By the lake')).toHaveText(/Sent|Delivered/);
      expect(keys.length).toBeGreaterThan(1);
      expect(new Set(keys).size).toBe(1);
      await openChat(sam.page, alex);
      await expect(sam.page.getByRole('log').locator('img')).toHaveCount(1);
    } finally {
      await gateway.close();
    }
  },
);
