import type { BrowserContext } from '@playwright/test';
import { sendMessage } from '#shared/chat/contract.ts';
import { signIn, type Visitor } from '../scripts/cli/api-session.ts';
import { startTestStack } from '../tests/stack.ts';
import { talkRows } from './chat/talk.ts';
import { writeLongThread } from './chat/long-thread.ts';
import { befriend } from '../tests/friends/befriend.ts';
import { newPerson } from './chat/people.ts';
import { ms } from './chat/times.ts';
import { median } from './quantiles.ts';
import type { BenchRow } from './result-row.ts';
import { newPhone, type Phone } from './screens/browser.ts';
import { coldStart } from './screens/cold-start.ts';
import { bringOwner } from './screens/owner.ts';

const DATABASE = 'leashwise';
const FRIENDS = 50;
const FEW = 100;
const MANY = 100_000;
const ROUNDS = 5;
const CPU_SLOWDOWN = 4;
const OPENING_TARGET = 1.3;
const LIST_TARGET_MS = 1200;

/**
 * Measures chat in real browsers with the whole product: the delay of a message, a long thread, the list of
 * conversations.
 */
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
      ...(await talkRows(mine, theirs, stack.origin, me)),
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
  // Received messages are on the disk a moment later.
  const saved = page.getByText('Saved', { exact: true }).first();
  await saved.waitFor({ state: 'attached', timeout: 60_000 });
}

async function openingRow(phone: Phone, few: Visitor, many: Visitor): Promise<BenchRow> {
  const open = async ({ user }: Visitor) => {
    const { openAt } = await coldStart(
      phone,
      `/chat/${user.id}`,
      { openAt: `document.querySelectorAll('article').length >= 50` },
      { slowdown: 1, isOffline: true },
    );
    return openAt;
  };
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
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { listAt } = await coldStart(
      phone,
      '/social?tab=chat',
      { listAt: `document.querySelectorAll('[aria-label="Chats"] a').length >= ${FRIENDS}` },
      { slowdown: CPU_SLOWDOWN, isOffline: true },
    );
    times.push(listAt);
  }
  return {
    group: 'chat',
    row: `${FRIENDS} conversations listed, cold and offline, CPU ${CPU_SLOWDOWN}x slower, from the start of navigation`,
    ours: ms(median(times)),
    rival: '',
    ratio: '',
    target: `≤ ${LIST_TARGET_MS} ms`,
    ok: median(times) <= LIST_TARGET_MS,
  };
}
