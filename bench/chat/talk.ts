import { setTimeout as wait } from 'node:timers/promises';
import { signIn, type Visitor } from '../../scripts/cli/api-session.ts';
import type { BenchRow } from '../result-row.ts';
import type { Phone } from '../screens/browser.ts';
import { bringOwner } from '../screens/owner.ts';
import { blockRow } from './block.ts';
import { befriend } from '../../tests/friends/befriend.ts';
import { median } from '../quantiles.ts';
import { ms, noted } from './times.ts';

const WORDS = 30;
/** Between a message and the next, at least, and up to three times that: automerge-repo sends a document's changes ten times a second at most. */
const PAUSE_MS = 300;
const ARRIVAL_TARGET_MS = 50;

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

/** Measures how soon one user's words are on the other's screen, and how soon they disappear. */
export async function talkRows(
  mine: Phone,
  theirs: Phone,
  origin: string,
  me: Visitor,
): Promise<BenchRow[]> {
  const email = `bench.${crypto.randomUUID().slice(0, 8)}@example.com`;
  const [here, there] = [await mine.open(), await theirs.open()];
  try {
    const reader = await bringOwner(there, origin, email);
    const friend = await signIn(origin, email);
    await befriend(me, friend);
    const writer = here.pages()[0] ?? (await here.newPage());
    await writer.addInitScript(
      `localStorage.setItem('cache-${me.user.id}-guidelines-agreed', JSON.stringify(new Date().toISOString()))`,
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
      await wait(PAUSE_MS * (1 + 2 * Math.random()));
    }
    const arrival: BenchRow = {
      group: 'chat',
      row: 'a message is on the friend’s screen, Chromium to Chromium on this machine, median',
      ours: ms(median(times)),
      rival: '',
      ratio: '',
      target: `≤ ${ARRIVAL_TARGET_MS} ms`,
      ok: median(times) <= ARRIVAL_TARGET_MS,
    };
    return [arrival, await blockRow(reader, friend, origin)];
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
}
