import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import * as A from '@automerge/automerge';
import { build } from 'vite';
import { initialSegment, segmentChanges, type SegmentDocument } from '#shared/chat/document.ts';
import { SEGMENT_FULL } from '#shared/chat/rules.ts';
import { median } from './quantiles.ts';
import type { BenchRow } from './result-row.ts';
import { newPhone, type Phone } from './screens/browser.ts';
import type { BenchPage } from './search/page.ts';
import { SEGMENTS_PATH, type Segments } from './search/segments.ts';

const MESSAGES = 100_000;
const PAIRS = Math.ceil(MESSAGES / SEGMENT_FULL);
const CPU_SLOWDOWN = 4;
const ROUNDS = 5;
const FIRST_MAX_MS = 3_000;
const LATER_MAX_MS = 200;
const DIFFERENT = 20;
/** In the oldest message only, in none, a part of that word, and in more than are shown. */
const QUERIES = ['platypus', 'zebra', 'latypu', 'bridge'];
const WORDS =
  'the park lake dog walk bella rex morning evening ball stick friend tomorrow today see you there leash rain sunny garden street home later maybe good boy treat nice big small happy meet bench cafe fence river bridge'.split(
    ' ',
  );
const TYPES: Record<string, string> = { js: 'text/javascript', wasm: 'application/wasm' };

/** Searches 100,000 messages that a phone stores in Chromium, 4× slower: with the client's storage, search and worker. */
export async function searchBench(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'leashwise-search-'));
  const server = createServer();
  try {
    await build({
      configFile: false,
      root: join(import.meta.dirname, 'search'),
      logLevel: 'error',
      worker: { format: 'es' },
      build: { outDir: folder, target: 'es2022' },
    });
    const segments = JSON.stringify(makeSegments());
    server.on('request', async ({ url = '' }, response) => {
      const path = url === '/' ? '/index.html' : url;
      const type = TYPES[extname(path).slice(1)] ?? 'text/html';
      const body =
        path === SEGMENTS_PATH ? segments : await readFile(folder + path).catch(() => '');
      response.setHeader('content-type', type).end(body);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const phone = await newPhone(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      return await measure(phone);
    } finally {
      await phone.forget();
    }
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
}

async function measure(phone: Phone): Promise<BenchRow[]> {
  await onPage(phone, 'fill', [PAIRS]);
  await onPage(phone, 'prepare', [PAIRS]);
  const rounds: Awaited<ReturnType<BenchPage['search']>>[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await search(phone));
  const first = median(rounds.map(([first]) => first!.ms));
  const later = median(rounds.flatMap(([, ...later]) => later.map(({ ms }) => ms)));
  const row = (which: string, ms: number, max: number): BenchRow => ({
    group: 'search',
    row: `${which} search in ${MESSAGES.toLocaleString('en')} stored messages, CPU ${CPU_SLOWDOWN}x slower`,
    ours: `${Math.round(ms)} ms`,
    target: `≤ ${max} ms`,
    ok: ms <= max,
  });
  return [row('first', first, FIRST_MAX_MS), row('later', later, LATER_MAX_MS)];
}

async function search(phone: Phone): ReturnType<BenchPage['search']> {
  const results = await onPage(phone, 'search', [PAIRS, QUERIES, CPU_SLOWDOWN], CPU_SLOWDOWN);
  const [word, none, part, many] = results.map(({ found }) => found);
  if (word !== 1 || none !== 0 || part !== 1 || many! < 100)
    throw new Error(`Found something else: ${word}, ${none}, ${part}, ${many}`);
  return results;
}

/** Starts the browser and calls a function of the page. */
async function onPage<Name extends keyof BenchPage>(
  phone: Phone,
  name: Name,
  given: Parameters<BenchPage[Name]>,
  rate = 1,
): Promise<Awaited<ReturnType<BenchPage[Name]>>> {
  const browser = await phone.openBare();
  try {
    await browser.send('Page.navigate', { url: phone.origin });
    const isThere = `new Promise((resolve) => {
      const look = () => (window.benchPage ? resolve() : setTimeout(look, 20));
      look();
    })`;
    await browser.evaluate(isThere);
    await browser.send('Emulation.setCPUThrottlingRate', { rate });
    const call = `benchPage.${name}(...${JSON.stringify(given)})`;
    return (await browser.evaluate(call)) as Awaited<ReturnType<BenchPage[Name]>>;
  } finally {
    await browser.close();
  }
}

function makeSegments(): Segments {
  return {
    usual: Array.from({ length: DIFFERENT }, (_, i) => segmentOf(i)),
    oldest: segmentOf(DIFFERENT, 'A Platypus was here'),
  };
}

/** Messages of usual length, a quarter of them with signs that are not ASCII. */
function segmentOf(seed: number, first?: string): string {
  let state = seed;
  const draw = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const text = () => {
    const words = Array.from({ length: 3 + draw(18) }, () => WORDS[draw(WORDS.length)]).join(' ');
    return words + ['', '', '', '', '', '', ' 🐕', ' that’s it'][draw(8)];
  };
  const place = { thread_id: 't', number: 1, friend_user_id: 'f', after: 0 };
  let doc = A.from({ ...initialSegment('me', '', place) }) as A.Doc<SegmentDocument>;
  for (let seq = 1; seq <= SEGMENT_FULL / 2; seq++) {
    const at = new Date(Date.UTC(2026, 0, 1) + seq * 60_000).toISOString();
    const said = seq === 1 && first ? first : text();
    const message = { key: `a1b2c3d4-${seq}`, seq, device: 'a1b2c3d4', at, text: said };
    doc = A.change(doc, (draft) => segmentChanges['message.add'].apply(draft, message));
  }
  return Buffer.from(A.save(doc)).toString('base64');
}
