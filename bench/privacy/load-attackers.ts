import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { next as A } from '@automerge/automerge';
import type { AccountDocument } from '#shared/account/document.ts';
import type { RawDevice } from '../../tests/sync/raw-device.ts';
import { median, quantile } from '../quantiles.ts';
import type { BenchRow } from '../result-row.ts';
import { startOurs, type BenchServer } from '../sync/servers.ts';
import { ATTACKS, connect, type Owned } from './load-attacks.ts';

const SECONDS = 10;
/** Each attack is measured so often, each time beside as long without it. */
const ROUNDS = 2;
const OTHERS = 3;
const OTHERS_PAUSE_MS = 50;
/** Beyond that, others notice an attack. */
const TARGET_RATIO = 2;

/** What the process of the attacker is told. */
export interface AttackerTask {
  attack: string;
  url: string;
  own: Owned;
}

/** Others edit until it is over. @returns the milliseconds from each edit to its acknowledgement */
async function othersTimes(devices: Other[], isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const edit = async (other: Other) => {
    for (; !isOver(); await wait(OTHERS_PAUSE_MS)) {
      other.doc = A.change(other.doc, { time: 0 }, ({ settings }) => {
        settings['n'] = other.edits++;
      });
      other.device.answers.length = 0;
      const startedAt = performance.now();
      await other.device.keep(other.own.id, other.doc);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(devices.map(edit));
  return times;
}

interface Other {
  own: Owned;
  device: RawDevice;
  doc: A.Doc<AccountDocument>;
  edits: number;
}

/** Rows that compare how long other people's edits take with and without an attacker, in turns on the same server. */
export async function loadAttackerRows(seconds = SECONDS): Promise<BenchRow[]> {
  const server = await startOurs(1);
  try {
    const rows: BenchRow[] = [];
    for (const name of Object.keys(ATTACKS)) rows.push(await row(server, name, seconds));
    return rows;
  } finally {
    await server.stop();
  }
}

async function row(server: BenchServer, name: string, seconds: number): Promise<BenchRow> {
  const { url } = server;
  const [attacker, ...owned] = await server.documents(1 + OTHERS);
  const others = await Promise.all(
    owned.map(async (own): Promise<Other> => {
      const device = await connect(url, own);
      return { own, device, doc: await device.read<AccountDocument>(own.id), edits: 0 };
    }),
  );
  // In a process of its own, which does not keep the others waiting itself.
  const child = fork(new URL('load-attacker-process.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
  });
  const task: AttackerTask = { attack: name, url, own: attacker! };
  child.send(task);
  await once(child, 'message');
  const quiet: number[] = [];
  const attacked: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const [times, isAttacked] of [
      [quiet, false],
      [attacked, true],
    ] as const) {
      let isOver = false;
      if (isAttacked) child.send('start');
      const measured = othersTimes(others, () => isOver);
      await wait(seconds * 1_000);
      isOver = true;
      times.push(...(await measured));
      if (!isAttacked) continue;
      child.send('stop');
      await once(child, 'message');
    }
  child.kill();
  for (const { device } of others) device.close();
  const both = (times: number[]) =>
    `${median(times).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`;
  const ratio = median(attacked) / median(quiet);
  const ratio95 = quantile(attacked, 0.95) / quantile(quiet, 0.95);
  return {
    group: 'privacy',
    row: `one account ${name}: others' edits, median`,
    ours: both(attacked),
    rival: `${both(quiet)} without`,
    ratio: `${ratio.toFixed(2)}, p95 ${ratio95.toFixed(1)}`,
    target: `median ≤ ${TARGET_RATIO} times`,
    ok: ratio <= TARGET_RATIO,
  };
}
