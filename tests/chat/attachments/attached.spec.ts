import sharp from 'sharp';
import { expect, test } from '../../browser.ts';
import { befriend } from '../../friends/befriend.ts';
import { input, messages, openChat, stateOf } from '../chat-screen.ts';

test('a photo that is attached and not sent outlasts the end of the page, until it is sent', async ({
  owner,
}) => {
  const [alex, sam] = [await owner({ name: 'Alex' }), await owner({ name: 'Sam' })];
  await befriend(alex, sam);
  const { page } = alex;
  await openChat(page, sam);
  const background = { width: 1600, height: 1200, channels: 3, background: 'teal' } as const;
  const buffer = await sharp({ create: background }).jpeg().toBuffer();
  const photo = { name: 'walk.jpg', mimeType: 'image/jpeg', buffer };
  await page.getByTestId('chat-photo').setInputFiles(photo);
  await expect(page.getByAltText('Attached')).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(
        (name) =>
          new Promise<number>((resolve) => {
            const request = indexedDB.open(name);
            request.onsuccess = () => {
              const counting = request.result.transaction('attached').objectStore('attached');
              counting.count().onsuccess = ({ target }) => {
                request.result.close();
                resolve((target as IDBRequest<number>).result);
              };
            };
          }),
        `leashwise-${alex.user.id}`,
      ),
    )
    .toBe(1);
  // A phone ends a page without a word while its camera is open.
  await page.goto('about:blank');
  await openChat(page, sam);
  await expect(page.getByAltText('Attached')).toBeVisible();
  await input(page).fill('By the lake');
  await input(page).press('Enter');
  await expect(stateOf(page, 'By the lake')).toHaveText(/Sent|Delivered/);
  await page.reload();
  await expect(messages(page)).toHaveCount(1);
  await expect(page.getByAltText('Attached')).toHaveCount(0);
});
