import type { BrowserContext, Page } from '@playwright/test';
import { sendMessage } from '#shared/chat/contract.ts';
import { signIn, type Visitor } from '../scripts/visitor.ts';
import { startTestStack } from '../tests/stack.ts';
import { writeLongThread } from './chat/long-thread.ts';
import { befriend, newPerson } from './chat/people.ts';
import type { BenchRow } from './row.ts';
import { newPhone, type Phone } from './screens/browser.ts';
import { bringOwner } from './screens/owner.ts';

const DATABASE = 'leashwise';
const FRIENDS = 50;
const FEW = 100;
const MANY = 100_000;
const ROUNDS = 5;
const WORDS = 30;
const CPU_SLOWDOWN = 4;
const OPENING_TARGET = 1.3;
const LIST_TARGET_MS = 300;
const ARRIVAL_TARGET_MS = 50;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
const ms = (time: number) => `${time.toFixed(0)} ms`;

/** What chat costs in real browsers with the whole product: a message's way, a long thread, the list of conversations. */
export async function chatBench(): Promise<BenchRow[]> {
  const stack = await startTestStack({ MONGODB_DB: DATABASE });
  const [mine, theirs] = [await newPhone(stack.origin), await newPhone(stack.origin)];
  try {
    const email = `bench.${crypto.randomUUID().slice(0, 8)}@example.com`;
    const first = await mine.open();
    await bringOwner(first, stack.origin, email);
    const me = await signIn(stack.origin, email);
    console.error(`  ${FRIENDS} friends…`);
    const friends: Visitor[] = [];
    for (let i = 0; i < FRIENDS; i++) {
      const friend = await newPerson(stack.origin, `Friend ${i}`);
      await befriend(me, friend);
      await friend.call(sendMessage, {
        body: { receiver_user_id: me.user.id, message_text: `Hello from ${i}` },
      });
      friends.push(friend);
    }
    const [few, many] = friends;
    if (!few || !many) throw new Error('nobody is there');
    console.error(`  a thread of ${MANY} messages…`);
    await writeLongThread(stack.mongodbUri, DATABASE, [me, few], FEW);
    await writeLongThread(stack.mongodbUri, DATABASE, [me, many], MANY);
    await keepAll(first, [few, many]);
    await first.close();
    return [
      await openingRow(mine, few, many),
      await listRow(mine),
      await arrivalRow(mine, theirs, stack.origin, me),
    ];
  } finally {
    await Promise.all([mine.forget(), theirs.forget()]);
    await stack.stop();
  }
}

/** Waits until this device has every conversation, and both threads. */
async function keepAll(context: BrowserContext, friends: Visitor[]): Promise<void> {
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto('/social?tab=chat');
  await page
    .getByRole('list', { name: 'Chats' })
    .getByRole('link')
    .nth(FRIENDS - 1)
    .waitFor({ timeout: 180_000 });
  for (const friend of friends) {
    await page.goto(`/chat/${friend.user.id}`);
    await page.getByRole('article').nth(49).waitFor({ timeout: 60_000 });
  }
  // What has come is on the disk a moment later.
  const saved = page.getByText('Saved', { exact: true }).first();
  await saved.waitFor({ state: 'attached', timeout: 60_000 });
}

/** As text: what tsx makes of a function does not run in a page. */
const noteWhen = (name: string, condition: string) => `
  (() => {
    const look = () => {
      if (!(${condition})) return void requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => { window.${name} = performance.now(); }));
    };
    look();
  })();
`;

const noted = async (page: Page, name: string): Promise<number> => {
  // The page's own policy lets nothing be made of text.
  const handle = await page.waitForFunction(
    (key) => (window as unknown as Record<string, unknown>)[key],
    name,
    { timeout: 60_000 },
  );
  return Number(await handle.jsonValue());
};

/** Starts the browser without a network and opens a screen. @returns ms from the start of navigation, by what was noted */
async function coldStart(
  phone: Phone,
  path: string,
  conditions: Record<string, string>,
  slowdown: number,
): Promise<Record<string, number>> {
  const context = await phone.open();
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await context.setOffline(true);
    for (const [name, condition] of Object.entries(conditions))
      await page.addInitScript(noteWhen(name, condition));
    await page.goto(path, { waitUntil: 'commit' });
    const times: Record<string, number> = {};
    for (const name of Object.keys(conditions)) times[name] = await noted(page, name);
    return times;
  } finally {
    await context.close();
  }
}

async function openingRow(phone: Phone, few: Visitor, many: Visitor): Promise<BenchRow> {
  const open = async ({ user }: Visitor) =>
    (
      await coldStart(
        phone,
        `/chat/${user.id}`,
        { openAt: `document.querySelectorAll('article').length >= 50` },
        1,
      )
    )['openAt'] ?? NaN;
  const [short, long]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    short.push(await open(few));
    long.push(await open(many));
  }
  const ratio = median(long) / median(short);
  return {
    group: 'chat',
    row: `newest page of ${MANY} messages, cold and offline, from the start of navigation (beside: of ${FEW})`,
    ours: ms(median(long)),
    rival: ms(median(short)),
    ratio: `${ratio.toFixed(2)}×`,
    target: `≤ ${OPENING_TARGET}×`,
    ok: ratio <= OPENING_TARGET,
  };
}

async function listRow(phone: Phone): Promise<BenchRow> {
  const list: number[] = [];
  const shell: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = await coldStart(
      phone,
      '/social?tab=chat',
      {
        shellAt: `document.querySelector('h1')`,
        listAt: `document.querySelectorAll('[aria-label="Chats"] a').length >= ${FRIENDS}`,
      },
      CPU_SLOWDOWN,
    );
    list.push(times['listAt'] ?? NaN);
    shell.push(times['shellAt'] ?? NaN);
  }
  const after = median(list.map((time, i) => time - (shell[i] ?? 0)));
  return {
    group: 'chat',
    row: `${FRIENDS} conversations listed after the screen is drawn, cold and offline, CPU ${CPU_SLOWDOWN}x slower (beside: from the start of navigation)`,
    ours: ms(after),
    rival: ms(median(list)),
    ratio: `${(median(list) / median(shell)).toFixed(2)}×`,
    target: `≤ ${LIST_TARGET_MS} ms`,
    ok: after <= LIST_TARGET_MS,
  };
}

/** When Enter was pressed on each text, by the machine's clock. */
const NOTE_ENTER = `
  addEventListener('keydown', ({ key, target }) => { if (key === 'Enter') window[target.value] = Date.now(); }, true);
`;
/** When each word was first on the screen, by the same clock. */
const NOTE_WORDS = `
  new MutationObserver(() => {
    for (const word of document.body.innerText.match(/word-[0-9]+/g) ?? []) window[word] ??= Date.now();
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;

async function arrivalRow(
  mine: Phone,
  theirs: Phone,
  origin: string,
  me: Visitor,
): Promise<BenchRow> {
  const email = `bench.${crypto.randomUUID().slice(0, 8)}@example.com`;
  const [here, there] = [await mine.open(), await theirs.open()];
  try {
    const reader = await bringOwner(there, origin, email);
    const friend = await signIn(origin, email);
    await befriend(me, friend);
    const writer = here.pages()[0] ?? (await here.newPage());
    await writer.addInitScript(
      `localStorage.setItem('kept-${me.user.id}-guidelines-agreed', JSON.stringify(new Date().toISOString()))`,
    );
    await writer.addInitScript(NOTE_ENTER);
    await writer.goto(`/chat/${friend.user.id}`);
    await reader.addInitScript(NOTE_WORDS);
    await reader.goto(`/chat/${me.user.id}`);
    const input = writer.getByLabel(/^Message to/);
    await writer.locator('textarea:enabled').waitFor();
    await reader.getByLabel(/^Message to/).waitFor();
    const times: number[] = [];
    for (let i = 0; i < WORDS; i++) {
      await input.fill(`word-${i}`);
      await input.press('Enter');
      times.push((await noted(reader, `word-${i}`)) - (await noted(writer, `word-${i}`)));
    }
    return {
      group: 'chat',
      row: 'a message is on the friend’s screen, Chromium to Chromium on this machine, median',
      ours: ms(median(times)),
      rival: '',
      ratio: '',
      target: `≤ ${ARRIVAL_TARGET_MS} ms`,
      ok: median(times) <= ARRIVAL_TARGET_MS,
    };
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
}
