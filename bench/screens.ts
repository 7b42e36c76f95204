import { gzipSync } from 'node:zlib';
import { startTestStack } from '../tests/stack.ts';
import type { BenchRow } from './result-row.ts';
import { newPhone, type Phone } from './screens/browser.ts';
import { coldStart } from './screens/cold-start.ts';
import { auditScreen } from './screens/lighthouse.ts';
import { bringOwner } from './screens/owner.ts';
import { median } from './quantiles.ts';

const ROUNDS = 7;
const CPU_SLOWDOWN = 4;
const USABLE_TARGET_MS = 1200;
const LIGHTHOUSE_TARGET = 95;
const CLS_TARGET = 0.05;

/** Measures loading and the quality of screens: Lighthouse, layout shift, and the dashboard without a network. */
export async function screensBench(): Promise<BenchRow[]> {
  const stack = await startTestStack();
  try {
    return [...(await offlineRows(stack.origin)), ...(await lighthouseRows(stack.origin))];
  } finally {
    await stack.stop();
  }
}

/** A phone that was switched off and has no network: from opening the app to a dashboard that one can use. */
async function offlineRows(origin: string): Promise<BenchRow[]> {
  const phone = await newPhone(origin);
  try {
    const first = await phone.open();
    await bringOwner(first, origin);
    await first.close();
    const offline: number[] = [];
    const online: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      online.push(await usableAfter(phone, false));
      offline.push(await usableAfter(phone, true));
    }
    const ours = median(offline);
    const rival = median(online);
    return [
      {
        group: 'screens',
        row: `dashboard usable from a cold start without a network, CPU ${CPU_SLOWDOWN}x slower (beside: with)`,
        ours: `${Math.round(ours)} ms`,
        rival: `${Math.round(rival)} ms`,
        ratio: `${(ours / rival).toFixed(2)}×`,
        target: `≤ ${USABLE_TARGET_MS} ms`,
        ok: ours <= USABLE_TARGET_MS,
      },
    ];
  } finally {
    await phone.forget();
  }
}

/** When the list of dogs is complete and input is handled. */
const USABLE = `
  document.querySelectorAll('#my-dogs li').length >= 3 &&
  [...document.querySelectorAll('a, button')].some((each) => /add dog/i.test(each.textContent))
`;

async function usableAfter(phone: Phone, isOffline: boolean): Promise<number> {
  const settings = { slowdown: CPU_SLOWDOWN, isOffline };
  return (await coldStart(phone, '/home', { usableAt: USABLE }, settings)).usableAt;
}

async function lighthouseRows(origin: string): Promise<BenchRow[]> {
  const phone = await newPhone(origin);
  try {
    const rows: BenchRow[] = [];
    for (const path of ['/', '/home']) {
      const isSignedIn = path !== '/';
      if (isSignedIn) {
        const context = await phone.open();
        await bringOwner(context, origin);
        await context.close();
      }
      const audit = await auditScreen(phone, path, { keepsStorage: isSignedIn });
      for (const [category, score] of Object.entries(audit.scores))
        rows.push({
          group: 'screens',
          row: `${path}: Lighthouse ${category}`,
          ours: String(score),
          rival: '100',
          ratio: `${(score / 100).toFixed(2)}×`,
          target: `≥ ${LIGHTHOUSE_TARGET}`,
          ok: score >= LIGHTHOUSE_TARGET,
        });
      rows.push({
        group: 'screens',
        row: `${path}: layout shift (CLS)`,
        ours: audit.cls.toFixed(3),
        rival: '',
        ratio: '',
        target: `< ${CLS_TARGET}`,
        ok: audit.cls < CLS_TARGET,
      });
      for (const reason of audit.reasons) console.error(`${path}: ${reason}`);
    }
    rows.push(await landingScriptRow(phone));
    return rows;
  } finally {
    await phone.forget();
  }
}

async function landingScriptRow(phone: Phone): Promise<BenchRow> {
  const TARGET_BYTES = 120_000;
  const context = await phone.open();
  try {
    await context.clearCookies();
    const page = await context.newPage();
    await page.addInitScript(() => localStorage.clear());
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js')) bodies.push(response.body());
    });
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    return {
      group: 'screens',
      row: '/: JavaScript, gzip',
      ours: `${(bytes / 1000).toFixed(1)} kB`,
      rival: '',
      ratio: '',
      target: `≤ ${TARGET_BYTES / 1000} kB`,
      ok: bytes > 0 && bytes <= TARGET_BYTES,
    };
  } finally {
    await context.close();
  }
}
