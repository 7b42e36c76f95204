import type { Page, Route } from '@playwright/test';
import { listBlocks } from '#shared/blocks/contract.ts';
import { listMessages, markRead, sendMessage } from '#shared/chat/contract.ts';
import { splitMessageId } from '#shared/chat/document.ts';
import { MESSAGE_MAX, PAGE_SIZE } from '#shared/chat/rules.ts';
import { listReports } from '#shared/moderation/admin-contract.ts';
import { BLOCKED_TEXT, WARNING_TEXT } from '#shared/moderation/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import {
  expect,
  expectAccessible,
  notStored,
  offlineTest,
  type Owner,
  test,
  untilStored,
} from '../browser.ts';
import { befriend } from '../friends/befriend.ts';
import { syncChip, untilSaved } from '../my-dogs.ts';
import {
  acceptGuidelines,
  chats,
  choose,
  input,
  messages,
  openChat,
  stateOf,
  write,
} from './chat-screen.ts';
import { foundInWorker } from './thread/search-worker.ts';

const say = (from: Owner, to: Owner, message_text: string) =>
  from.call(sendMessage, { body: { receiver_user_id: to.user.id, message_text } });

test('two friends chat with guidelines, delivery status, typing indicators, drafts, and search', async ({
  owner,
  device,
}) => {
  test.slow();
  const alex = await owner({ name: 'Alex' });
  const sam = await owner({ name: 'Sam' });
  const kim = await owner({ name: 'Kim' });
  await befriend(alex, sam);
  const { page } = alex;

  await page.goto('/social?tab=chat');
  await expect(page.getByText('No chats yet.')).toBeVisible();
  await page.getByRole('button', { name: /Community Safety Guidelines/ }).click();
  await expect(page.getByRole('dialog')).toContainText('I have read these guidelines');
  await expectAccessible(page);
  await page.goBack();
  await page.getByRole('tab', { name: 'Friends (1)' }).click();
  await page.getByRole('link', { name: 'Message Sam' }).click();
  await expect(page.getByText(/^Friends since/)).toBeVisible();
  await expect(input(page)).toBeDisabled();
  await expect(page.getByText('Before your first message')).toBeVisible();
  await page.getByRole('button', { name: 'Read the guidelines' }).click();
  await acceptGuidelines(page);
  await expect(input(page)).toBeEnabled();
  // A closed dialog is not in the history.
  await page.goBack();
  await expect(page).toHaveURL('/social?tab=friends');
  await page.getByRole('link', { name: 'Message Sam' }).click();
  await write(page, 'Shall we walk at https://example.com/lake?');
  await expect(stateOf(page, 'Shall we walk')).toHaveText('Sent');
  await expect(messages(page).getByRole('link')).toHaveAttribute(
    'href',
    'https://example.com/lake',
  );

  // The message shows on any of Sam's screens, and counts as read only once the chat is open.
  await sam.page.goto('/home');
  await expect(sam.page.getByRole('link', { name: 'Social 1 unread message' })).toBeVisible();
  await expect(stateOf(page, 'Shall we walk')).toHaveText('Delivered');
  // Both lead to what waits.
  const chatTab = sam.page.getByRole('tab', { name: 'Chat 1 unread message', selected: true });
  await sam.page.getByRole('link', { name: /^Social & Chat/ }).click();
  await expect(chatTab).toBeVisible();
  await sam.page.goto('/home');
  await sam.page.getByRole('link', { name: 'Social 1 unread message' }).click();
  await expect(chatTab).toBeVisible();
  await expect(chats(sam.page)).toContainText('Shall we walk at https://example.com/lake?');
  await expectAccessible(sam.page);
  await chats(sam.page).getByRole('link', { name: /Alex/ }).click();
  await expect(stateOf(page, 'Shall we walk')).toHaveText('Read');
  await expect(page.getByText('online')).toBeVisible();

  // A phone in landscape orientation still has room for the messages.
  const upright = sam.page.viewportSize();
  await sam.page.setViewportSize({ width: 740, height: 360 });
  await expect(messages(sam.page).getByText('Shall we walk')).toBeInViewport({ ratio: 1 });
  await expect(input(sam.page)).toBeInViewport({ ratio: 1 });
  if (upright) await sam.page.setViewportSize(upright);

  await sam.page.getByRole('button', { name: 'Read the guidelines' }).click();
  await acceptGuidelines(sam.page);
  // The typing indicator is short. If it was missed, the next keystroke shows it again.
  await expect(async () => {
    await input(sam.page).fill('');
    await input(sam.page).fill('Yes');
    await expect(page.getByText('Sam is typing…')).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await input(sam.page).press('Shift+Enter');
  await input(sam.page).pressSequentially('at ten');
  await sam.page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(messages(page)).toHaveText([/Shall we walk/, /Yes\s*at ten/]);
  await expect(page.getByRole('log').getByRole('heading')).toHaveText('Today');
  await expect(page.getByText('Sam is typing…')).toBeHidden();
  await expectAccessible(page);

  // A draft continues on another device, and so does the acceptance of the guidelines.
  await input(page).fill('See you th');
  const tablet = await device(alex);
  await tablet.page.goto(`/chat/${sam.user.id}`);
  await expect(input(tablet.page)).toHaveValue('See you th');
  await expect(messages(tablet.page)).toHaveCount(2);
  // The draft may be there before the guidelines' acceptance.
  await expect(input(tablet.page)).toBeEnabled();
  await input(tablet.page).press('End');
  await input(tablet.page).pressSequentially('ere');
  // Safari sends this event when an input method confirms text with Enter, which must not send the message.
  await input(tablet.page).evaluate((area) => {
    const press = { key: 'Enter', keyCode: 229, bubbles: true };
    area.dispatchEvent(new KeyboardEvent('keydown', press));
  });
  await expect(input(tablet.page)).toHaveValue('See you there');
  await input(tablet.page).press('Enter');
  await expect(messages(page)).toHaveText([/Shall we walk/, /Yes/, /See you there/]);
  await expect(input(page)).toHaveValue('');

  await page.getByRole('button', { name: 'Search this chat' }).click();
  await page.getByRole('searchbox', { name: 'Search this chat' }).fill('AT TEN');
  await expect(page.getByText('1 message found')).toBeVisible();
  await page.getByRole('search').getByRole('listitem').getByRole('button').press('Enter');
  await expect(messages(page).filter({ hasText: 'at ten' })).toBeFocused();
  await page.getByRole('searchbox', { name: 'Search this chat' }).press('Escape');
  await expect(page.getByRole('searchbox', { name: 'Search this chat' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Search this chat' })).toBeFocused();
  // The list of chats is next to the thread, so nothing leads back to it.
  await expect(page.getByRole('link', { name: 'Back to all chats' })).toBeHidden();
  // A renamed friend is found and shown under the new name, and the list shows drafts.
  await sam.call(saveProfile, {
    body: { display_name: 'Samuel', is_location_sharing_enabled: false },
  });
  await input(tablet.page).fill('Bring');
  await expect(chats(page).getByRole('link', { name: 'Samuel' })).toContainText('Draft: Bring');
  await befriend(alex, kim);
  await page.getByLabel('Search chats').fill('kim');
  await page.getByRole('list', { name: 'Other friends' }).getByRole('link').click();
  await expect(page.getByText('No messages yet. Plan your next walk with Kim.')).toBeVisible();
  await input(page).fill('Hello Ki');
  await page.goBack();
  const others = page.getByRole('list', { name: 'Other friends' });
  await expect(others.getByRole('link', { name: 'Kim' })).toContainText('Draft: Hello Ki');
  await page.getByLabel('Search chats').fill('at ten');
  await page.getByRole('region', { name: 'Messages found' }).getByRole('link').click();
  await expect(messages(page).filter({ hasText: 'at ten' })).toBeInViewport();
  await expect(messages(page).filter({ hasText: 'at ten' })).toBeFocused();

  // A killed tab does not lose the draft.
  await input(tablet.page).fill('Bring the ball');
  const browser = await tablet.context.newCDPSession(tablet.page);
  const isKilled = tablet.page.waitForEvent('crash');
  browser.send('Page.crash').catch(() => {});
  await isKilled;
  const again = await tablet.context.newPage();
  await again.goto(`/chat/${sam.user.id}`);
  await expect(input(again)).toHaveValue('Bring the ball');

  // Blocking from the profile leaves the chat, too.
  await page.getByRole('heading').getByRole('link', { name: 'Samuel' }).click();
  const profile = page.getByRole('dialog', { name: 'User Profile' });
  await profile.getByRole('button', { name: 'Block User' }).click();
  await page
    .getByRole('dialog', { name: 'Block User' })
    .getByRole('button', { name: 'Block', exact: true })
    .click();
  await expect(page).toHaveURL('/social');
  await expect(profile).toBeHidden();
});

offlineTest(
  'offline messages from four devices show in the same order everywhere after reconnecting',
  async ({ owner, device }) => {
    const alex = await owner({ name: 'Alex', context: notStored });
    const sam = await owner({ name: 'Sam', context: notStored });
    await befriend(alex, sam);
    await openChat(alex.page, sam);
    await write(alex.page, 'First');
    await openChat(sam.page, alex);
    await write(sam.page, 'Second');
    const tablet = await device(alex, notStored);
    const laptop = await device(sam);
    await openChat(tablet.page, sam);
    await openChat(laptop.page, alex);
    const all = [alex, tablet, sam, laptop];
    for (const { page } of all) {
      await expect(messages(page)).toHaveText([/First/, /Second/]);
      await untilSaved(page);
    }
    await untilStored(laptop.page);
    for (const { context } of all) await context.setOffline(true);
    for (const [i, { page }] of all.entries()) {
      await write(page, `Alone ${i}`);
      await expect(stateOf(page, `Alone ${i}`)).toHaveText('Waiting for connection');
    }

    // Reopened offline, the messages are in the list and in the thread.
    await laptop.page.close();
    laptop.page = await laptop.context.newPage();
    await laptop.page.goto('/social?tab=chat');
    await expect(chats(laptop.page)).toContainText('You: Alone 3');
    await chats(laptop.page).getByRole('link', { name: /Alex/ }).click();
    await expect(messages(laptop.page)).toHaveText([/First/, /Second/, /Alone 3/]);
    await expect(stateOf(laptop.page, 'Alone 3')).toHaveText('Waiting for connection');
    await expect(syncChip(laptop.page)).toHaveText(/Offline/);
    await expectAccessible(laptop.page);
    // A worker searches older segments in the storage of the device.
    expect(await foundInWorker(laptop.page, 'Past the old mill', 'mill')).toMatchObject([
      {
        found: [{ id: 'segment.a', text: 'Past the old mill', isOwn: true }],
        isCached: true,
      },
    ]);

    for (const { context } of all) await context.setOffline(false);
    for (const { page } of [alex, tablet, sam, laptop]) {
      await expect(messages(page)).toHaveCount(6, { timeout: 40_000 });
      await untilSaved(page);
    }
    const shown = async (page: Page) =>
      (await messages(page).allInnerTexts()).map((text) => /First|Second|Alone \d/.exec(text)?.[0]);
    const order = await shown(alex.page);
    expect(order.slice(0, 2)).toEqual(['First', 'Second']);
    expect(new Set(order)).toEqual(
      new Set(['First', 'Second', 'Alone 0', 'Alone 1', 'Alone 2', 'Alone 3']),
    );
    for (const { page } of [tablet, sam, laptop]) expect(await shown(page)).toEqual(order);
  },
);

test('blocking or removing a friend stops messages on every device at once', async ({
  owner,
  device,
  admin,
}) => {
  const alex = await owner({ name: 'Alex' });
  const sam = await owner({ name: 'Sam' });
  await befriend(alex, sam);
  await openChat(alex.page, sam);
  await write(alex.page, 'Before it all');
  const laptop = await device(sam);
  await laptop.page.goto(`/chat/${alex.user.id}`);
  await sam.page.goto('/social?tab=chat');
  await expect(messages(laptop.page)).toHaveText([/Before it all/]);
  await expect(chats(sam.page)).toContainText('Before it all');
  // Alex blocks while Sam is writing a report.
  await choose(laptop.page, 'Before it all', 'Report');
  const report = laptop.page.getByRole('dialog', { name: 'Report Message' });
  await report.getByLabel('What’s wrong with it?').selectOption({ label: 'Something else' });
  await report.getByLabel('What happened?').fill('Wrote that, and blocked me at once');

  await alex.page.getByRole('button', { name: 'Menu' }).click();
  await expectAccessible(alex.page);
  for (const name of ['Safety Guidelines', 'Remove Friend'])
    await expect(alex.page.getByRole('menuitem', { name })).toBeVisible();
  await alex.page.getByRole('menuitem', { name: 'Block User' }).click();
  const dialog = alex.page.getByRole('dialog', { name: 'Block User' });
  await expect(dialog).toBeVisible();
  await alex.page.keyboard.press('Escape');
  await expect(alex.page.getByRole('button', { name: 'Menu' })).toBeFocused();
  await alex.page.keyboard.press('Enter');
  await alex.page.getByRole('menuitem', { name: 'Block User' }).press('Enter');
  await dialog.getByLabel(/Reason/).fill('Too loud');
  await expectAccessible(alex.page);
  await dialog.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(alex.page).toHaveURL(/\/social$/);
  await expect(sam.page.getByText('No chats yet.')).toBeVisible();
  await expect(report).toContainText('Before it all');
  await report.getByRole('button', { name: 'Submit' }).click();
  await expect(report).toBeHidden();
  await untilSaved(laptop.page);
  const { reports } = await admin.call(listReports, { query: { reported_user_id: alex.user.id } });
  expect(reports).toMatchObject([{ description: 'Wrote that, and blocked me at once' }]);
  await expect(laptop.page.getByRole('heading', { name: 'Chat Not Available' })).toBeVisible();
  await expect(
    laptop.page.getByText('Unable to load chat. You can only message friends.'),
  ).toBeVisible();
  await expect(messages(laptop.page)).toHaveCount(0);
  await expectAccessible(laptop.page);
  await laptop.page.getByRole('link', { name: 'Back to Social' }).click();
  await expect(laptop.page).toHaveURL(/\/social$/);
  await untilSaved(alex.page);
  const { blocks } = await alex.call(listBlocks);
  expect(blocks.map(({ reason }) => reason)).toEqual(['Too loud']);

  // A removed friend is not listed either.
  const kim = await owner({ name: 'Kim' });
  await befriend(alex, kim);
  await alex.page.goto(`/chat/${kim.user.id}`);
  await kim.page.goto(`/chat/${alex.user.id}`);
  await expect(input(kim.page)).toBeVisible();
  await alex.page.getByRole('button', { name: 'Menu' }).click();
  await alex.page.getByRole('menuitem', { name: 'Remove Friend' }).click();
  await alex.page
    .getByRole('dialog', { name: 'Are you sure you want to remove this friend?' })
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(alex.page).toHaveURL(/\/social$/);
  await expect(kim.page.getByRole('heading', { name: 'Chat Not Available' })).toBeVisible();
  await kim.page.context().clearCookies();
  for (const path of [`/chat/${alex.user.id}`, '/social']) {
    await kim.page.goto(path);
    await expect(kim.page).toHaveURL(/\/welcome$/);
  }
});

test('a thread opens at the first unread message, loads page by page, and keeps the reader’s place', async ({
  owner,
}) => {
  const alex = await owner({ name: 'Alex' });
  const sam = await owner({ name: 'Sam' });
  await befriend(alex, sam);
  const { page } = alex;
  const unreadCount = PAGE_SIZE + 5;
  const all = unreadCount + 1;
  await say(alex, sam, 'Where are you?');
  await Promise.all(Array.from({ length: unreadCount }, (_, i) => say(sam, alex, `Message ${i}.`)));

  await page.goto('/social?tab=chat');
  await expect(chats(page).getByText(`${unreadCount} unread messages`)).toBeVisible();
  await chats(page).getByRole('link', { name: /Sam/ }).click();
  await expect(messages(page)).toHaveCount(all);
  await expect(page.getByText('New messages', { exact: true })).toBeInViewport();
  await expect(messages(page).nth(1)).toBeInViewport();
  const furtherUp = page.getByRole('button', { name: 'further up' });
  await expect(furtherUp).toBeHidden();
  await page.getByRole('button', { name: 'Go to the latest message' }).click();
  await expect(messages(page).last()).toBeInViewport();
  // Only messages that were on the screen count as read.
  await expect(furtherUp).toBeVisible();
  await expectAccessible(page);
  await furtherUp.click();
  await expect(messages(page).last()).not.toBeInViewport();
  // Opened directly, the thread starts there as well, although own messages load before the friend's.
  await expect(async () => {
    await page.reload();
    const newHere = page.getByText('New messages', { exact: true });
    await expect(newHere).toBeInViewport({ timeout: 3_000 });
  }).toPass();

  const params = { friendUserId: sam.user.id };
  for (const of of [1, 2]) {
    const listed = await alex.call(listMessages, { params, query: { page: of } });
    await alex.call(markRead, { body: { message_ids: listed.messages.map(({ id }) => id) } });
  }
  await expect(furtherUp).toBeHidden();
  // New messages are stored on the device a moment later.
  await expect(async () => {
    await page.reload();
    await expect(messages(page).last()).toBeInViewport({ timeout: 3_000 });
  }).toPass();
  await expect(messages(page)).toHaveCount(50);
  const earlier = page.getByRole('button', { name: 'Load earlier messages' });
  await earlier.scrollIntoViewIfNeeded();
  const words = /Message \d+\./.exec(await messages(page).first().innerText())?.[0] ?? '';
  const read = messages(page).filter({ hasText: words });
  const { y } = (await read.boundingBox()) ?? {};
  // New messages at the end don't move the position of a reader at the top.
  await say(sam, alex, 'And one more');
  await expect(page.getByRole('button', { name: /^1 new/ })).toBeVisible();
  expect((await read.boundingBox())?.y).toBeCloseTo(y ?? Number.NaN, -1);
  await earlier.press('Enter');
  await expect(messages(page)).toHaveCount(all + 1);
  await expect(earlier).toBeHidden();
  expect((await read.boundingBox())?.y).toBeCloseTo(y ?? Number.NaN, -1);
  await expect(page.getByRole('log')).toBeFocused();
  await page.getByRole('button', { name: /^1 new/ }).click();
  await expect(messages(page).filter({ hasText: 'And one more' })).toBeInViewport();
});

offlineTest(
  'filters words and reports a message offline, and sends the report after reconnecting',
  async ({ owner, admin }) => {
    const alex = await owner({ name: 'Alex' });
    const sam = await owner({ name: 'Sam' });
    await befriend(alex, sam);
    await say(sam, alex, 'Buy my leashes');
    const { page, context } = alex;
    await openChat(page, sam);
    await expect(messages(page)).toHaveText([/Buy my leashes/]);
    await untilSaved(page);
    await untilStored(page);
    await context.setOffline(true);
    await page.reload();
    await expect(messages(page)).toHaveText([/Buy my leashes/]);
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await input(page).fill('k-i-l-l y0urself');
    await send.click();
    await expect(page.getByRole('alert')).toContainText(BLOCKED_TEXT);
    await expect(input(page)).toHaveValue('k-i-l-l y0urself');
    await expect(messages(page)).toHaveCount(1);
    await expectAccessible(page);
    await write(page, 'This fucking rain');
    await expect(page.getByRole('alert')).toContainText(WARNING_TEXT);
    const tooLong = 'x'.repeat(MESSAGE_MAX + 12);
    await input(page).fill(tooLong);
    await expect(input(page)).toHaveValue(tooLong);
    await expect(page.getByText('Shorten it by 12 to send')).toBeVisible();
    await expect(send).toBeDisabled();
    await input(page).fill('x'.repeat(MESSAGE_MAX));
    await expect(page.getByText(`${MESSAGE_MAX} of ${MESSAGE_MAX}`)).toBeVisible();
    await expect(send).toBeEnabled();
    await input(page).fill('   ');
    await expect(send).toBeDisabled();

    const flag = messages(page)
      .filter({ hasText: 'Buy my leashes' })
      .getByRole('button', { name: /^Report this message from/ });
    await messages(page).filter({ hasText: 'Buy my leashes' }).hover();
    await expect(flag).toHaveCSS('opacity', '1');
    await flag.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Report Message' });
    const submit = dialog.getByRole('button', { name: 'Submit' });
    await expect(dialog).toContainText('Buy my leashes');
    await dialog.getByLabel('What’s wrong with it?').selectOption({ label: 'Spam' });
    await dialog.getByLabel('What happened?').fill('Too short');
    await expect(submit).toBeDisabled();
    await dialog.getByLabel('What happened?').fill('Sixty leashes in a minute');
    await expectAccessible(page);
    await submit.click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Report saved on this device')).toBeVisible();
    const reportedHere = messages(page).filter({ hasText: 'Buy my leashes' });
    await expect(reportedHere).toContainText('Reported');
    await context.setOffline(false);
    await untilSaved(page);
    await page.reload();
    await expect(reportedHere).toContainText('Reported');
    await expect(messages(page).filter({ hasText: 'This fucking rain' })).not.toContainText(
      'Reported',
    );
    const { reports } = await admin.call(listReports, { query: { reported_user_id: sam.user.id } });
    expect(reports).toMatchObject([
      { report_type: 'spam', description: 'Sixty leashes in a minute', status: 'pending' },
    ]);
    await expect(stateOf(page, 'This fucking rain')).toHaveText('Sent');

    // High words are delivered; the tests of the API show how they are queued for review.
    await write(page, 'I will kill you');
    await expect(stateOf(page, 'I will kill you')).toHaveText(/Sent|Delivered/);
    await openChat(sam.page, alex);
    await expect(messages(sam.page)).toHaveText([/leashes/, /rain/, /I will kill you/]);
    await expect(stateOf(page, 'I will kill you')).toHaveText(/Delivered|Read/);
  },
);

test('a device without documents lists the server’s messages and says what it can’t show or send', async ({
  owner,
}) => {
  const alex = await owner({ name: 'Alex' });
  const sam = await owner({ name: 'Sam' });
  await befriend(alex, sam);
  await say(sam, alex, 'Are you there?');
  const { message } = await say(alex, sam, `On my way${' home'.repeat(20)}`);
  const { documentId } = splitMessageId(message.id);
  const { page, context } = alex;
  let missing = 'everything';
  await context.routeWebSocket(/\/sync$/, (socket) => {
    if (missing === 'everything') return void socket.close({ code: 1011 });
    const server = socket.connectToServer();
    server.onMessage((frame) => {
      if (!missing || !frame.includes(missing)) socket.send(frame);
    });
  });
  const asked: Route[] = [];
  await page.route('**/api/conversations', (route) => void asked.push(route));
  await page.goto('/social?tab=chat');
  await expect.poll(() => asked.length).toBe(1);
  await expect(page.getByRole('status', { name: 'Loading chats…' })).toBeVisible();
  await expect(page.getByText('Failed to fetch conversations')).toBeHidden();
  await asked[0]?.fulfill({ status: 404, body: '' });
  await expect(page.getByText('Failed to fetch conversations')).toBeVisible();
  await expect(
    page.getByText('We couldn’t load your chats yet. If it takes long, reload this page.'),
  ).toBeVisible();
  await page.unroute('**/api/conversations');
  await page.reload();
  await expect(chats(page).getByRole('link', { name: /Sam/ })).toContainText(
    /You: On my way( home){10}…/,
  );
  await chats(page).getByRole('link', { name: /Sam/ }).click();
  await expect(page.getByText('Failed to fetch friend information')).toBeVisible();
  await expect(
    page.getByText('We couldn’t load this chat yet. If it takes long, reload this page.'),
  ).toBeVisible();
  await expectAccessible(page);

  // The friend's messages loaded and the own ones did not, so new messages wait on the device.
  missing = documentId;
  await openChat(page, sam);
  await expect(messages(page)).toHaveText([/Are you there/]);
  await input(page).fill('Soon');
  await input(page).press('Enter');
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to send message' });
  await expect(failed).toContainText('hasn’t fully loaded on this device yet');
  await expect(input(page)).toHaveValue('Soon');
  await expectAccessible(page);
  await input(page).fill('Soon there');
  await expect(failed).toBeHidden();
  missing = '';
  await page.reload();
  await expect(messages(page)).toHaveText([/Are you there/, /On my way/]);
  await input(page).press('Enter');
  await expect(messages(page)).toHaveText([/Are you there/, /On my way/, /Soon there/]);
});
