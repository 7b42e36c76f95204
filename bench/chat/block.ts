import type { Page } from '@playwright/test';
import { createBlock } from '#shared/blocks/contract.ts';
import { sendMessage } from '#shared/chat/contract.ts';
import type { Visitor } from '../../scripts/cli/api-session.ts';
import type { BenchRow } from '../result-row.ts';
import { befriend } from '../../tests/friends/befriend.ts';
import { newPerson } from './people.ts';
import { median } from '../quantiles.ts';
import { ms, noted } from './times.ts';

const ROUNDS = 10;
const TARGET_MS = 1_000;

/** Has a page note when a word is no longer on the screen, by the machine's clock. */
const noteGone = (word: string) => `
  new MutationObserver(() => {
    if (!document.body.innerText.includes('${word}')) window['gone-${word}'] ??= Date.now();
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;

/** Measures how soon after a block the open chat disappears from the other's screen. */
export async function blockRow(page: Page, reader: Visitor, origin: string): Promise<BenchRow> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const word = `round-${round}-of-blocks`;
    const blocker = await newPerson(origin, `Blocker ${round}`);
    await befriend(blocker, reader);
    await blocker.call(sendMessage, {
      body: { receiver_user_id: reader.user.id, message_text: word },
    });
    await page.goto(`/chat/${blocker.user.id}`);
    await page.getByRole('article').getByText(word).waitFor();
    await page.evaluate(noteGone(word));
    const blockedAt = Date.now();
    await blocker.call(createBlock, { body: { blocked_user_id: reader.user.id } });
    times.push((await noted(page, `gone-${word}`)) - blockedAt);
  }
  return {
    group: 'chat',
    row: `a block takes the messages off the other’s open screen, of ${ROUNDS} the slowest (beside: median)`,
    ours: ms(Math.max(...times)),
    rival: ms(median(times)),
    ratio: '',
    target: `≤ ${TARGET_MS} ms`,
    ok: Math.max(...times) <= TARGET_MS,
  };
}
