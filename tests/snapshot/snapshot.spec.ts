import type { BrowserContextOptions, Page } from '@playwright/test';
import { createBlock } from '#shared/blocks/contract.ts';
import { sendMessage } from '#shared/chat/contract.ts';
import {
  expect,
  offlineTest,
  type Owner,
  type OwnerSettings,
  test,
  untilKept,
} from '../browser.ts';
import { befriend } from '../friends/befriend.ts';
import { untilSaved } from '../my-dogs.ts';

const SCREEN = '/social?tab=chat';

/** What this device keeps of something for its next start. */
const keptFor = ({ page, user }: Owner, name: string) =>
  page.evaluate((key) => localStorage.getItem(key), `kept-${user.id}-${name}`);

/** Two friends wrote to Alex, who has the list open; the next start can draw it. */
async function alexSeesChats(
  newOwner: (settings: OwnerSettings) => Promise<Owner>,
  context: BrowserContextOptions = {},
) {
  const alex = await newOwner({ name: 'Alex', context });
  const [sam, kim] = [await newOwner({ name: 'Sam' }), await newOwner({ name: 'Kim' })];
  for (const friend of [sam, kim]) {
    await befriend(alex, friend);
    await friend.call(sendMessage, {
      body: { receiver_user_id: alex.user.id, message_text: `Hello from ${friend.user.id}` },
    });
  }
  await alex.page.goto(SCREEN);
  await expect(alex.page.getByRole('list', { name: 'Chats' }).getByRole('link')).toHaveCount(2);
  await expect.poll(() => keptFor(alex, 'screen')).toContain('data-row');
  return { alex, sam, kim };
}

interface Seen {
  isApp: boolean;
  words: string;
  tops: number[];
}

/** As text: what the compiler makes of a function does not run in a page. */
const LOOK = `
  const look = () => ({
    isApp: Object.keys(document.getElementById('root')).some((key) => key.startsWith('__reactContainer')),
    words: document.querySelector('main').innerText,
    tops: [...document.querySelectorAll('h1, main input, [data-row]')].map((each) => Math.round(each.getBoundingClientRect().top)),
  });
`;

/** Does something as soon as there are rows, in the very moment, before anything else of the page is run. */
const atFirstRows = (page: Page, act: string) =>
  page.addInitScript(`
    ${LOOK}
    const watching = new MutationObserver(() => {
      if (!document.querySelector('[data-row]')) return;
      watching.disconnect();
      window.seen = look();
      ${act}
    });
    watching.observe(document, { childList: true, subtree: true });
  `);

const seen = (page: Page, what: string): Promise<Seen> =>
  page.evaluate(`(() => { ${LOOK} return ${what}; })()`);

test('the list of chats is drawn before the app, as the app draws it then, with what came meanwhile', async ({
  owner,
}) => {
  const { alex, sam } = await alexSeesChats(owner);
  const { page } = alex;

  // The list changes where it is not seen.
  await page.goto('/home');
  await sam.call(sendMessage, {
    body: { receiver_user_id: alex.user.id, message_text: 'Are you <b>there</b>?' },
  });
  await expect.poll(() => keptFor(alex, 'conversations')).toContain('Are you');

  await page.addInitScript(`
    window.said = [];
    const listen = () => {
      const name = document.querySelector('[role="tab"]')?.innerText;
      if (name && name !== window.said.at(-1)) window.said.push(name);
      requestAnimationFrame(listen);
    };
    listen();
  `);
  await atFirstRows(page, '');
  await page.goto(SCREEN);
  const before = await seen(page, 'window.seen');
  expect(before.isApp).toBe(false);
  expect(before.words).toMatch(/Sam[^]*Are you <b>there<\/b>\?[^]*Kim/);
  await expect(page.locator('[data-sync]:not(.invisible)')).toBeVisible();
  const { words, tops } = before;
  await expect.poll(() => seen(page, 'look()')).toEqual({ isApp: true, words, tops });
  await expect(page.getByRole('link', { name: 'Social 3 unread messages' })).toBeVisible();
  expect(await page.evaluate('window.said')).toEqual(['Friends (2)']);
});

offlineTest('without a network it stands where the app draws it, too', async ({ owner }) => {
  const { alex } = await alexSeesChats(owner);
  const { page, context } = alex;
  await untilKept(page);
  // As where nothing is a stand-in, and no line above everything says so.
  await context.route('**/health', (route) =>
    route.fulfill({ json: { ready: true, missing: [], stand_ins: [] } }),
  );
  await page.reload();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('stand_ins'))).toBe('');
  await page.goto('/home');
  await page.goto(SCREEN);
  await untilSaved(page);
  await expect.poll(() => keptFor(alex, 'screen')).not.toContain('data-room=');
  await context.setOffline(true);

  await atFirstRows(page, '');
  await page.goto(SCREEN);
  const { isApp, tops } = await seen(page, 'window.seen');
  expect(isApp).toBe(false);
  await expect(page.getByText('You’re offline.')).toBeVisible();
  expect(await seen(page, 'look()')).toMatchObject({ isApp: true, tops });
});

test('what is pressed and typed before the app is there is done once it is', async ({ owner }) => {
  const { alex, sam } = await alexSeesChats(owner);

  const typing = await alex.context.newPage();
  await atFirstRows(
    typing,
    `const input = document.querySelector('main input');
     input.focus(); input.value = 'ki'; input.dispatchEvent(new Event('input', { bubbles: true }));`,
  );
  await typing.goto(SCREEN);
  const search = typing.getByRole('searchbox', { name: 'Search chats' });
  await expect(search).toHaveValue('ki');
  await expect(search).toBeFocused();
  await expect(typing.getByRole('list', { name: 'Chats' }).getByRole('link')).toHaveCount(1);

  const pressing = await alex.context.newPage();
  await atFirstRows(
    pressing,
    `[...document.querySelectorAll('main button')].find((each) => each.innerText.includes('Requests')).focus();`,
  );
  await pressing.goto(SCREEN);
  await expect(pressing.getByRole('tab', { name: 'Requests' })).toHaveAttribute(
    'aria-selected',
    'true',
  );

  const opening = await alex.context.newPage();
  await atFirstRows(opening, `document.querySelector('[href="/chat/${sam.user.id}"]').click();`);
  await opening.goto(SCREEN);
  await expect(opening).toHaveURL(`/chat/${sam.user.id}`);
  await expect(opening.getByText(`Hello from ${sam.user.id}`)).toBeVisible();
});

test('a row below the window is left for whoever scrolls, and has its room', async ({ owner }) => {
  const { page } = (await alexSeesChats(owner, { viewport: { width: 360, height: 560 } })).alex;
  const shown = `[...document.querySelectorAll('[data-row]')].map((row) => row.checkVisibility())`;
  await atFirstRows(
    page,
    `window.first = { ...look(), shown: ${shown}, height: document.documentElement.scrollHeight };
     addEventListener('scroll', () => { window.then ??= { ...look(), shown: ${shown} }; });
     scrollTo(0, 100);`,
  );
  // A scroll is told a frame later: on a busy machine the app would be there by then.
  let begin = () => {};
  const seenFirst = new Promise<void>((resolve) => (begin = resolve));
  await page.route('**/assets/*.js', (route) => seenFirst.then(() => route.continue()));
  await page.goto(SCREEN, { waitUntil: 'commit' });
  await expect.poll(() => page.evaluate('Boolean(window.then)')).toBe(true);
  begin();
  await expect(page.locator('[data-sync]:not(.invisible)')).toBeVisible();
  const height = await page.evaluate('document.documentElement.scrollHeight');
  expect(await page.evaluate('window.first')).toMatchObject({ shown: [true, false], height });
  expect(await page.evaluate('window.then')).toMatchObject({
    shown: [true, true],
    words: expect.stringMatching(/Kim[^]*Sam[^]*Hello from/),
    isApp: false,
  });
});

test('nobody who blocked the owner is drawn, and nothing after a logout', async ({ owner }) => {
  const { alex, kim } = await alexSeesChats(owner);
  const { page } = alex;
  await page.goto('/home');
  await kim.call(createBlock, { body: { blocked_user_id: alex.user.id } });
  await expect.poll(() => keptFor(alex, 'conversations')).not.toContain(kim.user.id);

  await atFirstRows(page, '');
  await page.goto(SCREEN);
  const { isApp, words } = await seen(page, 'window.seen');
  expect(isApp).toBe(false);
  expect(words).toContain('Sam');
  expect(words).not.toContain('Kim');

  await page.goto('/home');
  await untilSaved(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/welcome');
  await expect.poll(() => keptFor(alex, 'screen')).toBeNull();
});
