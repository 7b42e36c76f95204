import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { createLocation } from '#shared/locations/contract.ts';
import { expect, expectAccessible, offlineTest, test, untilStored } from '../browser.ts';
import { befriend } from '../friends/befriend.ts';
import { untilSaved } from '../my-dogs.ts';
import { chats, choose, input, messages, openChat, stateOf, write } from './chat-screen.ts';

const picture = async () => ({
  name: 'walk.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 1600, height: 1200, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer(),
});

/** Whether the photo of a message has loaded. */
const isPhotoShown = (page: Page, text: string) =>
  messages(page)
    .filter({ hasText: text })
    .locator('img')
    .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);

/** Watches how many messages are on the screen. @returns reads the smallest number so far */
const watchFewest = async (page: Page): Promise<() => Promise<number>> => {
  const watch = await page.evaluateHandle(() => {
    const count = () => document.querySelectorAll('[role=log] article').length;
    const watched = { fewest: count() };
    const look = () => (watched.fewest = Math.min(watched.fewest, count()));
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    return watched;
  });
  return () => watch.evaluate(({ fewest }) => fewest);
};

offlineTest(
  'a photo, a reply, a reaction and an unsent message go out after a time offline',
  async ({ owner }) => {
    const alex = await owner({ name: 'Alex' });
    const sam = await owner({ name: 'Sam' });
    await befriend(alex, sam);
    const { page, context } = alex;
    await openChat(sam.page, alex);
    await write(sam.page, 'Where are you?');
    await openChat(page, sam);
    await write(page, 'To the wrong person');
    await expect(messages(sam.page)).toHaveCount(2);
    for (const each of [page, sam.page]) {
      await untilSaved(each);
      await untilStored(each);
    }

    await context.setOffline(true);
    await choose(page, 'Where are you?', 'Reply');
    await expect(input(page)).toBeFocused();
    await expect(page.getByText('Reply to Sam')).toBeVisible();
    await page.getByTestId('chat-photo').setInputFiles(await picture());
    await expect(page.getByAltText('Attached')).toBeVisible();
    await input(page).fill('By the lake');
    await expectAccessible(page);
    await input(page).press('Enter');
    await expect(page.getByText('Reply to Sam')).toBeHidden();
    await expect.poll(() => isPhotoShown(page, 'By the lake')).toBe(true);
    await expect(stateOf(page, 'By the lake')).toHaveText('Waiting for connection');
    await messages(page)
      .filter({ hasText: 'Where are you?' })
      .first()
      .getByText('Where are you?')
      .click({ button: 'right' });
    await expect(page.getByRole('menuitemradio', { name: 'Paw' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('menuitemradio', { name: 'Paw' }).click();
    await expect(page.getByRole('img', { name: 'You reacted: Paw' })).toBeVisible();
    await choose(page, 'To the wrong person', 'Unsend');
    await expect(messages(page).filter({ hasText: 'To the wrong person' })).toHaveCount(0);
    await expectAccessible(page);

    // Everything is still there after a start without a network.
    await page.reload();
    await expect.poll(() => isPhotoShown(page, 'By the lake')).toBe(true);
    await expect(page.getByRole('img', { name: 'You reacted: Paw' })).toBeVisible();
    await expect(messages(page).filter({ hasText: 'To the wrong person' })).toHaveCount(0);
    await expect(messages(sam.page).filter({ hasText: 'To the wrong person' })).toHaveCount(1);

    await context.setOffline(false);
    const answer = messages(sam.page).filter({ hasText: 'By the lake' });
    await expect(answer).toContainText('Where are you?', { timeout: 40_000 });
    await expect.poll(() => isPhotoShown(sam.page, 'By the lake')).toBe(true);
    await expect(sam.page.getByRole('img', { name: 'Alex reacted: Paw' })).toBeVisible();
    await expect(messages(sam.page).filter({ hasText: 'To the wrong person' })).toHaveCount(0);
    await expect(stateOf(page, 'By the lake')).toHaveText('Read');
    await untilSaved(page);
    await untilSaved(sam.page);

    // The reader has the photo without a network, too, and it goes away with its message.
    await sam.context.setOffline(true);
    await sam.page.reload();
    await expect.poll(() => isPhotoShown(sam.page, 'By the lake')).toBe(true);
    await sam.context.setOffline(false);
    const cached = () =>
      sam.page.evaluate(async () => (await (await caches.open('files')).keys()).length);
    expect(await cached()).toBe(1);
    await expect(messages(page)).toHaveCount(2);
    await expect(messages(sam.page)).toHaveCount(2);
    const fewest = await Promise.all([page, sam.page].map(watchFewest));
    await choose(page, 'By the lake', 'Unsend');
    await expect(messages(sam.page)).toHaveCount(1, { timeout: 40_000 });
    await expect.poll(cached).toBe(0);
    // The rewritten segment is here, because photos are removed only then. The other message was never gone.
    expect(await Promise.all(fewest.map((read) => read()))).toEqual([1, 1]);
  },
);

test('a message can be edited, also offline, an unsending undone, and a chat muted', async ({
  owner,
}) => {
  test.slow();
  const alex = await owner({ name: 'Alex' });
  const sam = await owner({ name: 'Sam' });
  await befriend(alex, sam);
  const { page, context } = alex;
  await openChat(sam.page, alex);
  await openChat(page, sam);
  await write(page, 'See you at 5');
  await expect(messages(sam.page)).toHaveCount(1);
  await untilSaved(page);
  await context.setOffline(true);
  await choose(page, 'See you at 5', 'Edit');
  await expect(input(page)).toBeFocused();
  await expect(input(page)).toHaveValue('See you at 5');
  await expectAccessible(page);
  await input(page).fill('See you at 6');
  await input(page).press('Enter');
  await expect(messages(page)).toHaveCount(1);
  await expect(messages(page)).toContainText('See you at 6');
  await expect(messages(page)).toContainText('Edited');
  await expect(input(page)).toHaveValue('');
  await context.setOffline(false);
  await expect(messages(sam.page)).toContainText('See you at 6', { timeout: 40_000 });
  await expect(messages(sam.page)).toHaveCount(1);
  await expect(messages(sam.page)).toContainText('Edited');

  await choose(page, 'See you at 6', 'Unsend');
  await expect(messages(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(messages(page)).toContainText('See you at 6');
  await expect(messages(sam.page)).toHaveCount(1);

  // The focus of the toast that has gone returns to the screen a moment later, which closes a menu.
  await expect(async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Mute' }).click({ timeout: 3_000 });
  }).toPass();
  await expect(page.getByRole('img', { name: 'Muted' }).first()).toBeVisible();
  await page.getByTestId('chat-photo').setInputFiles([await picture(), await picture()]);
  await expect(page.getByAltText('Attached')).toHaveCount(2);
  await input(page).fill('From the lake');
  await input(page).press('Enter');
  await expect(messages(sam.page)).toHaveCount(3);
  await expect.poll(() => isPhotoShown(sam.page, 'From the lake')).toBe(true);
  await sam.page
    .getByRole('button', { name: /^Photo from Alex/ })
    .first()
    .click();
  const viewer = sam.page.getByRole('dialog', { name: 'Photo' });
  await viewer.getByRole('button', { name: 'Zoom in', exact: true }).click();
  await expect(viewer.getByRole('link', { name: 'Save photo' })).toHaveAttribute('download');
  await expectAccessible(sam.page);
  await viewer.getByRole('button', { name: 'Later photo' }).click();
  await expect(viewer.getByRole('button', { name: 'Later photo' })).toBeDisabled();
});

test('a desktop shows the chats next to the thread, and a shared place opens', async ({
  owner,
}) => {
  const alex = await owner({ name: 'Alex' });
  const sam = await owner({ name: 'Sam' });
  const kim = await owner({ name: 'Kim' });
  await befriend(alex, sam);
  await befriend(alex, kim);
  const { page } = alex;
  await alex.call(createLocation, {
    body: { name: 'Green Park', latitude: 51.5, longitude: -0.14, location_type: 'park' },
  });
  await page.goto('/locations?latitude=51.5&longitude=-0.14&radius=10');
  await expect(page.getByText('Green Park').first()).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await openChat(page, kim);
  await write(page, 'Hello Kim');
  await openChat(page, sam);
  const list = page.getByRole('navigation', { name: 'Chats' });
  await expect(list.getByRole('link', { name: /Kim/ })).toBeVisible();
  await page.getByRole('button', { name: 'Add a photo or place' }).click();
  await expect(page.getByRole('menuitem', { name: 'Place' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Place' }).click();
  const picker = page.getByRole('dialog', { name: 'Share a Place' });
  await expect(picker).toBeVisible();
  await expectAccessible(page);
  await picker.getByRole('button', { name: /Green Park/ }).click();
  await expect(picker).toBeHidden();
  const card = messages(page).getByRole('link', { name: /Green Park/ });
  await expect(card).toBeVisible();
  await expectAccessible(page);
  await expect(list.getByRole('link', { name: /Sam/ })).toHaveAttribute('aria-current', 'page');

  // Turning a tablet keeps what isn't sent yet.
  const back = page.getByRole('link', { name: 'Back to all chats' });
  await expect(back).toBeHidden();
  await page.getByTestId('chat-photo').setInputFiles(await picture());
  await expect(page.getByAltText('Attached')).toBeVisible();
  await page.setViewportSize({ width: 800, height: 1280 });
  await expect(list).toBeHidden();
  await expect(back).toBeVisible();
  await expect(page.getByAltText('Attached')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  const refusal = { status: 400, json: { error: 'No one can read this photo', code: 'invalid' } };
  await page.route('**/api/messages/*/photo', (route) => route.fulfill(refusal));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByAltText('Attached')).toBeHidden();
  // Such a message has no words to copy.
  const photoMessage = messages(page).filter({ has: page.getByRole('button', { name: /^Photo/ }) });
  await photoMessage.getByRole('button', { name: /^Actions for the message/ }).press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(['Reply', 'Unsend']);
  await page.keyboard.press('Escape');
  await expect(photoMessage).toContainText('No one can read this photo');
  await expect(photoMessage).toContainText('Not sent. Unsend this message to try again.');

  await card.click();
  await expect(page).toHaveURL(/\/locations\?place=/);
  await expect(page.getByText('Green Park').first()).toBeVisible();
  await page.goBack();
  await page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: /Kim/ }).click();
  await expect(messages(page)).toHaveText([/Hello Kim/]);
  await page.setViewportSize({ width: 360, height: 720 });
  await expect(page.getByRole('navigation', { name: 'Chats' })).toBeHidden();
  await expect(chats(page)).toBeHidden();
});
