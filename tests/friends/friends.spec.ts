import type { Page } from '@playwright/test';
import { createBlock } from '#shared/blocks/contract.ts';
import { sendMessage } from '#shared/chat/contract.ts';
import { createFriendRequest, deleteFriend } from '#shared/friends/contract.ts';
import { newId } from '#shared/ids.ts';
import { BLOCKED_TEXT, getWords } from '#shared/moderation/contract.ts';
import { createPlannedWalk } from '#shared/planned-walks/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { ADMIN_EMAIL } from '../../scripts/session/api-session.ts';
import {
  expect,
  expectAccessible,
  notStored,
  offlineTest,
  type Owner,
  test,
  untilStored,
} from '../browser.ts';
import { syncChip, untilSaved } from '../my-dogs.ts';
import { befriend } from './befriend.ts';

const profile = (page: Page, title = 'User Profile') => page.getByRole('dialog', { name: title });
const openProfile = (page: Page, of: Owner, path = '/home') =>
  page.goto(`${path}?open=profile&user=${of.user.id}`);

/** Returns the number of documents stored on this device. Three are the user's own. */
const countStoredDocuments = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('leashwise-documents');
      request.onsuccess = () => resolve(request.result);
    });
    const keys = await new Promise<IDBValidKey[]>((resolve) => {
      const request = database.transaction('chunks').objectStore('chunks').getAllKeys();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    const ids = keys.map((key) => (key as string[])[1]);
    return new Set(ids.filter((id) => id !== 'storage-adapter-id')).size;
  });

const today = () => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format();

test('a name that looks like a friend’s is marked where it is shown', async ({ owner }) => {
  const sam = await owner({ name: 'Sam' });
  const alex = await owner({ name: 'Alex' });
  // The e is Cyrillic.
  const eve = await owner({ name: 'Al\u0435x' });
  await befriend(alex, sam);
  await eve.call(createFriendRequest, { body: { receiver_user_id: sam.user.id } });
  await sam.page.goto('/social?tab=requests');
  const received = sam.page.getByRole('region', { name: 'Received' });
  await expect(received.getByRole('listitem')).toContainText('Not your friend Alex');
  await expectAccessible(sam.page);
  await openProfile(sam.page, eve);
  await expect(profile(sam.page)).toContainText('Not your friend Alex');
  await openProfile(sam.page, alex);
  await expect(profile(sam.page)).toContainText('Alex');
  await expect(profile(sam.page)).not.toContainText('Not your');

  // Sam accepts the request nonetheless.
  await sam.call(createFriendRequest, { body: { receiver_user_id: eve.user.id } });
  await sam.page.goto('/walks/planned');
  const main = sam.page.getByRole('main');
  const mark = 'Not your other friend Alex';
  const starts_at = new Date(Date.now() + 86_400_000).toISOString();
  const notice = 'Al\u0435x, not your other friend Alex, invited you to a walk.';
  // An invitation that comes before the page listens is only in the list.
  await expect(async () => {
    await eve.call(createPlannedWalk, {
      body: { id: newId(), starts_at, place_name: 'Oak Park', participant_ids: [sam.user.id] },
    });
    await expect(sam.page.getByText(notice).first()).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(main.getByRole('listitem').filter({ hasText: 'Oak Park' }).first()).toContainText(
    mark,
  );
  await main.getByRole('button', { name: 'Plan a walk' }).click();
  await expect(
    sam.page.getByRole('listitem').filter({ has: sam.page.getByRole('checkbox'), hasText: mark }),
  ).toHaveCount(1);
  await eve.call(sendMessage, {
    body: { receiver_user_id: sam.user.id, message_text: 'Good morning' },
  });
  await sam.page.goto('/social?tab=chat');
  await expect(sam.page.getByRole('list', { name: 'Chats' })).toContainText(mark);
  await expectAccessible(sam.page);
});

test('two strangers become friends and remove each other', async ({ owner }) => {
  const alex = await owner({ name: 'Alex' });
  const sam = await owner({ name: 'Sam', dogs: [{ name: 'Rex', sound_type: 'leash_on' }] });

  const words = alex.page.waitForResponse(`**${pathOf(getWords)}**`);
  await openProfile(alex.page, sam);
  const toSam = profile(alex.page);
  await expect(toSam).toContainText('Rex');
  await expect(toSam).toContainText('Needs space');
  await (await words).finished();
  await expectAccessible(alex.page);
  const message = toSam.getByLabel(/Message/);
  const send = toSam.getByRole('button', { name: 'Send Friend Request' });
  await message.fill('k-i-l-l y0urself');
  await send.click();
  await expect(message).toHaveAccessibleDescription(new RegExp(BLOCKED_TEXT));
  await expect(message).toBeFocused();
  await expect(message).toHaveValue('k-i-l-l y0urself');
  await expectAccessible(alex.page);
  await message.fill('Shall we walk?');
  await send.click();
  await expect(toSam).toContainText('Friend request pending');

  await openProfile(sam.page, alex);
  // They can be answered here, and the message is here.
  const fromAlex = profile(sam.page);
  await expect(fromAlex).toContainText('Shall we walk?');
  await expect(fromAlex.getByRole('button', { name: /^Accept/ })).toBeVisible();
  await expect(fromAlex.getByText('Respond to their friend request in Social tab')).toBeHidden();
  await fromAlex.getByRole('button', { name: /^Deny/ }).press('Enter');
  // The keyboard gets to what the toast offers, although the dialog keeps the focus inside.
  const undo = sam.page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  await expect(async () => {
    await sam.page.keyboard.press('Tab');
    await expect(undo).toBeFocused({ timeout: 100 });
  }).toPass({ intervals: [10] });
  await sam.page.keyboard.press('Enter');
  await expect(fromAlex.getByRole('button', { name: /^Deny/ })).toBeVisible();
  await sam.page.goto('/social?tab=requests');
  await expect(sam.page.getByRole('tab', { name: 'Requests 1 friend request' })).toBeVisible();
  const badge = sam.page.getByRole('link', { name: 'Social 1 friend request' });
  await expect(badge).toBeVisible();
  await expect(sam.page.getByText('Shall we walk?')).toBeVisible();
  await expectAccessible(sam.page);
  await sam.page.getByRole('button', { name: 'Accept Alex' }).press('Enter');
  await expect(sam.page.getByText('No requests waiting for you.')).toBeVisible();
  // The focused element was removed, so the next Tab continues from its place.
  await expect(sam.page.getByRole('region', { name: 'Received' })).toBeFocused();
  await expect(badge).toBeHidden();
  await sam.page.getByRole('tab', { name: 'Friends (1)' }).click();
  await expect(sam.page.getByRole('link', { name: 'Alex', exact: true })).toBeVisible();

  // The page updates by itself, because the contacts document arrives through the sync server.
  await toSam.getByRole('link', { name: 'Send Message' }).click();
  await expect(alex.page).toHaveURL(`/chat/${sam.user.id}`);
  await alex.page.goBack();

  await sam.page.getByRole('button', { name: 'More about Alex' }).click();
  await sam.page.getByRole('menuitem', { name: 'Remove Friend' }).click();
  const question = sam.page.getByRole('dialog', {
    name: 'Are you sure you want to remove this friend?',
  });
  await question.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(sam.page.getByText('No friends yet')).toBeVisible();
  await expect(sam.page.getByRole('tabpanel', { name: /Friends/ })).toBeFocused();
  await expect(toSam.getByRole('button', { name: 'Send Friend Request' })).toBeVisible();
});

offlineTest(
  'an offline friend request survives a restart and is sent after reconnecting',
  async ({ owner }) => {
    const alex = await owner({ name: 'Alex' });
    const sam = await owner({ name: 'Sam', context: notStored });
    const { page, context } = alex;
    await openProfile(page, sam);
    await expect(profile(page)).toContainText('Sam');
    await untilSaved(page);
    await untilStored(page);
    await context.setOffline(true);
    await profile(page).getByRole('button', { name: 'Send Friend Request' }).click();
    await expect(profile(page)).toContainText('Friend request pending');
    await expect(profile(page)).toContainText('send it once you’re online');
    await expect(profile(page)).toContainText(`As of ${today()}`);
    await page.keyboard.press('Escape');
    await expect(syncChip(page)).toHaveText(/Offline · 1 to send/);

    await page.close();
    const again = await context.newPage();
    await again.goto('/social?tab=requests');
    await expect(again.getByRole('link', { name: 'Sam', exact: true })).toBeVisible();
    await expect(again.getByText('not sent yet')).toBeVisible();
    await expect(syncChip(again)).toHaveText(/Offline · 1 to send/);
    await expectAccessible(again);

    await context.setOffline(false);
    await untilSaved(again);
    await expect(again.getByText('not sent yet')).toBeHidden();
    await expect(again.getByText('Pending')).toBeVisible();
    await sam.page.goto('/social?tab=requests');
    await expect(sam.page.getByRole('button', { name: 'Accept Alex' })).toBeVisible();

    await context.setOffline(true);
    await again.getByRole('button', { name: 'Withdraw the request to Sam' }).click();
    await expect(again.getByText('No requests of yours are waiting for an answer.')).toBeVisible();
    await expect(syncChip(again)).toHaveText(/Offline · 1 to send/);
    await expect(sam.page.getByRole('button', { name: 'Accept Alex' })).toBeVisible();
    await context.setOffline(false);
    await untilSaved(again);
    await expect(sam.page.getByText('No requests waiting for you.')).toBeVisible();
  },
);

offlineTest(
  'a friend’s profile is available offline and removed along with the friendship',
  async ({ owner }) => {
    const alex = await owner({ name: 'Alex' });
    const sam = await owner({ name: 'Sam', dogs: [{ name: 'Rex', sound_type: 'leash_on' }] });
    await befriend(alex, sam);
    const { page, context } = alex;
    await page.goto('/social');
    await expect(page.getByRole('link', { name: 'Sam', exact: true })).toBeVisible();
    await untilSaved(page);
    await untilStored(page);
    await expectAccessible(page);
    // The profile was never opened. The additional documents are the card and two thread segments.
    await expect.poll(() => countStoredDocuments(page)).toBe(6);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('link', { name: 'Sam', exact: true }).click();
    await expect(page).toHaveURL(`/people/${sam.user.id}`);
    const person = page.getByRole('main');
    await expect(person).toContainText('Rex');
    await expect(person).not.toContainText('location');
    await expect(person.getByRole('link', { name: 'Send Message' })).toBeVisible();
    await expectAccessible(page);
    await page.goBack();
    await expect(page).toHaveURL('/social');

    await sam.call(deleteFriend, { params: { friendUserId: alex.user.id } });
    await context.setOffline(false);
    await expect(page.getByText('No friends yet')).toBeVisible();
    await expect.poll(() => countStoredDocuments(page)).toBe(3);
  },
);

test('a blocked user can’t find the blocker until unblocked', async ({ owner }) => {
  const alex = await owner({ name: 'Alex' });
  const sam = await owner({ name: 'Sam' });
  await openProfile(alex.page, sam);
  const dialog = profile(alex.page);
  await dialog.getByRole('button', { name: 'Block User' }).click();
  const asking = alex.page.getByRole('dialog', { name: 'Block User' });
  await asking.getByLabel(/Reason/).fill('Too loud');
  await expectAccessible(alex.page);
  await expect(asking.getByRole('button', { name: 'Report Sam first' })).toBeVisible();
  await asking.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(alex.page.getByText('Sam is blocked')).toBeVisible();
  await expect(dialog).toContainText('You blocked SamUnable to connect with this user');
  await expect(dialog.getByRole('button', { name: 'Unblock Sam' })).toBeVisible();
  await untilSaved(alex.page);
  await openProfile(sam.page, alex);
  await expect(profile(sam.page)).toContainText('User not found');
  await sam.page.goto(`/people/${alex.user.id}`);
  await expect(sam.page.getByRole('alert')).toContainText('User not found');
  await expectAccessible(sam.page);
  await sam.page.getByRole('link', { name: 'Back to Social' }).click();
  await expect(sam.page).toHaveURL('/social');
  await openProfile(sam.page, alex);
  await expect(profile(sam.page)).toContainText('User not found');

  await alex.page.goto('/social?tab=blocked');
  await expect(alex.page.getByText('Too loud')).toBeVisible();
  const unblock = async () => {
    await alex.page.getByRole('button', { name: 'Unblock Sam' }).click();
    await alex.page
      .getByRole('dialog', { name: 'Are you sure you want to unblock this user?' })
      .getByRole('button', { name: 'Unblock' })
      .click();
  };
  // For a while, the device can't store data.
  await alex.page.evaluate(() => {
    crypto.randomUUID = () => {
      throw new Error('Nothing can be kept');
    };
  });
  await unblock();
  await expect(alex.page.getByText('Failed to unblock user')).toBeVisible();
  await alex.page.evaluate(() => delete (crypto as Partial<Crypto>).randomUUID);
  await expect(alex.page.getByText('Too loud')).toBeVisible();
  await unblock();
  await expect(alex.page.getByText('You haven’t blocked anyone.')).toBeVisible();
  await untilSaved(alex.page);
  await sam.page.reload();
  await expect(profile(sam.page)).toContainText('Alex');
});

test('an answer that a block overtakes names the sender in the error', async ({ owner }) => {
  const alex = await owner({ name: 'Alex' });
  const kim = await owner({ name: 'Kim' });
  await kim.call(createFriendRequest, { body: { receiver_user_id: alex.user.id, message: null } });
  const { page } = alex;
  await page.goto('/social?tab=requests');
  await expect(page.getByRole('button', { name: /Accept/ })).toBeVisible();
  await alex.context.setOffline(true);
  await page.getByRole('button', { name: /Accept/ }).click();
  await kim.call(createBlock, { body: { blocked_user_id: alex.user.id, reason: null } });
  await alex.context.setOffline(false);
  await expect(page.getByText('Failed to accept friend request: Kim')).toBeVisible();
});

test('a narrow bar of tabs folds the last ones, and shows the open one', async ({
  owner,
  device,
}) => {
  const { page } = await owner();
  await page.setViewportSize({ width: 360, height: 740 });
  const tab = (name: string) => page.getByRole('tab', { name });
  const more = page.getByRole('button', { name: 'More', exact: true });
  await page.goto('/social');
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  for (const name of ['Chat', 'Friends', 'Requests'])
    await expect(tab(name)).toBeInViewport({ ratio: 1 });
  for (const name of ['Search', 'Invitations', 'Blocked'])
    await expect(tab(name)).not.toBeInViewport();
  // What unfolds has equal columns, and doesn't move the content.
  const content = page.getByRole('tabpanel');
  const top = async () => (await content.boundingBox())?.y ?? Infinity;
  const before = await top();
  // Without what is above it only in a trial, and only until the guidelines were accepted, with its gap.
  const heights = await Promise.all(
    [
      page.locator('details', { hasText: 'Trial:' }),
      page.getByRole('complementary', { name: 'Community Safety Guidelines' }),
    ].map(async (each) => (await each.boundingBox())?.height ?? 0),
  );
  const gap = 12;
  expect(before - heights.reduce((sum, height) => sum + height, gap)).toBeLessThanOrEqual(200);
  await more.click();
  const widths = await Promise.all(
    ['Search', 'Invitations', 'Blocked'].map(
      async (name) => (await tab(name).boundingBox())?.width,
    ),
  );
  expect(Math.max(...widths.map(Number)) - Math.min(...widths.map(Number))).toBeLessThan(2);
  expect(await top()).toBe(before);
  await page.keyboard.press('Escape');
  await expect(tab('Blocked')).not.toBeInViewport();
  await more.click();
  await tab('Blocked').click();
  await expect(page).toHaveURL(/tab=blocked/);
  // Folded again, it is named.
  await expect(tab('Blocked')).not.toBeInViewport();
  await expect(page.getByRole('button', { name: 'Blocked, more tabs' })).toBeInViewport();
  await page.goto('/social?tab=invitations');
  await page.getByRole('button', { name: 'Invitations, more tabs' }).click();
  await expect(tab('Invitations')).toBeInViewport({ ratio: 1 });
  // The arrow keys unfold them.
  await page.goto('/social?tab=requests');
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  await tab('Requests').press('ArrowRight');
  await expect(tab('Search')).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(more).toBeHidden();

  const admin = await device({ email: ADMIN_EMAIL }, { viewport: { width: 360, height: 740 } });
  await admin.page.goto('/admin?tab=moderation&part=log');
  await expect(admin.page.getByRole('button', { name: 'Log, more tabs' })).toBeInViewport({
    ratio: 1,
  });
});

test('a device without contacts says what is missing, and loads it when the server is back', async ({
  owner,
}) => {
  const { page, context } = await owner();
  const sam = await owner({ name: 'Sam' });
  let isCut = true;
  let hangUp = () => {};
  await context.routeWebSocket(/\/sync$/, (socket) => {
    if (isCut) return void socket.close({ code: 1011 });
    socket.connectToServer();
    hangUp = () => void socket.close({ code: 1011 });
  });
  await page.goto('/social');
  for (const [tab, failure] of [
    ['Friends', 'Failed to fetch friends'],
    ['Requests', 'Failed to fetch friend requests'],
    ['Blocked', 'Failed to fetch blocked users'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByText(failure)).toBeVisible();
    await expect(
      page.getByText(/^We couldn’t load .* yet\. If it takes long, reload this page\.$/),
    ).toBeVisible();
  }
  await expectAccessible(page);
  isCut = false;
  await expect(page.getByText('You haven’t blocked anyone.')).toBeVisible({ timeout: 40_000 });

  // The confirmed result stays while the contacts document can't load, even after a restart.
  await openProfile(page, sam, '/social');
  await untilSaved(page);
  isCut = true;
  hangUp();
  const pending = profile(page).getByText('Friend request pending');
  const pendingNote = profile(page).getByText('send it once you’re online');
  await profile(page).getByRole('button', { name: 'Send Friend Request' }).click();
  await sam.page.goto('/social?tab=requests');
  await expect(sam.page.getByRole('button', { name: /Accept/ })).toBeVisible();
  await expect(pendingNote).toBeHidden();
  await expect(pending).toBeVisible();
  await page.reload();
  await expect(pending).toBeVisible();
  await expect(pendingNote).toBeHidden();
});

test('a denial can be undone, and what happened is in the activity on all devices', async ({
  owner,
  device,
}) => {
  const [alex, sam] = [await owner({ name: 'Alex' }), await owner({ name: 'Sam' })];
  await alex.call(createFriendRequest, {
    body: { receiver_user_id: sam.user.id, message: 'Shall we walk?' },
  });
  const { page } = sam;
  await page.goto('/social?tab=requests');
  await page.getByRole('button', { name: 'Deny Alex' }).click();
  await expect(page.getByRole('button', { name: 'Accept Alex' })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Accept Alex' })).toBeVisible();

  await page.reload();
  await page.getByRole('link', { name: 'Activity, 1 new' }).click();
  const activity = page.getByRole('dialog', { name: 'Activity' });
  await expect(activity.getByRole('listitem')).toContainText('Alex would like to be friends.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Activity', exact: true })).toBeVisible();
  const tablet = await device(sam);
  await tablet.page.goto('/social?tab=requests');
  await expect(tablet.page.getByRole('link', { name: 'Activity', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Accept Alex' }).click();
  await page.getByRole('button', { name: 'Message', exact: true }).click();
  // What came with the request is the first message.
  await expect(page.getByRole('log').getByText('Shall we walk?')).toBeVisible();
});
