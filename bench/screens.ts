import { gzipSync } from 'node:zlib';
import { startTestStack } from '../tests/stack.ts';
import { median } from './quantiles.ts';
import type { BenchRow } from './result-row.ts';
import { newPhone, type Phone } from './screens/browser.ts';
import { coldStart } from './screens/cold-start.ts';
import { auditScreen } from './screens/lighthouse.ts';
import { bringOwner } from './screens/owner.ts';

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

/** A phone that was switched off and has no network: from opening the app to a walk that one can start, and to the whole dashboard. */
async function offlineRows(origin: string): Promise<BenchRow[]> {
  const phone = await newPhone(origin);
  try {
    const first = await phone.open();
    await bringOwner(first, origin);
    await first.close();
    const offline: DashboardTimes[] = [];
    const online: DashboardTimes[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      online.push(await dashboardTimes(phone, false));
      offline.push(await dashboardTimes(phone, true));
    }
    const row = (part: keyof DashboardTimes, what: string): BenchRow => {
      const ours = median(offline.map((times) => times[part]));
      const rival = median(online.map((times) => times[part]));
      return {
        group: 'screens',
        row: `${what} after a cold start without a network, CPU ${CPU_SLOWDOWN}x slower (beside: with)`,
        ours: `${Math.round(ours)} ms`,
        rival: `${Math.round(rival)} ms`,
        ratio: `${(ours / rival).toFixed(2)}×`,
        ...(part === 'walk'
          ? { target: `≤ ${USABLE_TARGET_MS} ms`, ok: ours <= USABLE_TARGET_MS }
          : { ok: null }),
      };
    };
    return [row('walk', 'a walk can be started'), row('dogs', 'the whole dashboard is shown')];
  } finally {
    await phone.forget();
  }
}

/** Expressions that are true once a part of the dashboard is there. */
const SHOWN = {
  walk: `[...document.querySelectorAll('button')].some((each) => /start walk/i.test(each.textContent) && !each.disabled)`,
  dogs: `
    document.querySelectorAll('#my-dogs li').length >= 3 &&
    [...document.querySelectorAll('a, button')].some((each) => /add dog/i.test(each.textContent))
  `,
};
type DashboardTimes = Record<keyof typeof SHOWN, number>;

/** Returns ms until each part is there and input is handled. */
const dashboardTimes = (phone: Phone, isOffline: boolean): Promise<DashboardTimes> =>
  coldStart(phone, '/home', SHOWN, { slowdown: CPU_SLOWDOWN, isOffline });

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
      // What a visitor's first load takes is measured on a slowed-down browser; a returning owner's as Lighthouse's own page does it.
      const audit = await auditScreen(phone, path, {
        keepsStorage: isSignedIn,
        isSimulated: isSignedIn,
      });
      for (const [category, score] of Object.entries(audit.scores))
        rows.push({
          group: 'screens',
          row: `${path}: Lighthouse ${category}${isSignedIn ? ', simulated throttling' : ''}`,
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
  const TARGET_BYTES = 90_000;
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
      target: `≤ ${TARGET_BYTES / 1000} kB`,
      ok: bytes > 0 && bytes <= TARGET_BYTES,
    };
  } finally {
    await context.close();
  }
}
