import { chromium, type Page } from '@playwright/test';
import { sendMessage } from '#shared/chat/contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { redirectUrl } from '#shared/session/contract.ts';
import { pathOf } from '../client/platform/http/api-client.ts';
import { ADMIN_EMAIL, signInMember, type Visitor } from '../scripts/cli/api-session.ts';
import { CHROMIUM_FLAGS, findChromium } from '../scripts/test/chromium.ts';
import { befriend } from '../tests/friends/befriend.ts';
import { startTestStack } from '../tests/stack.ts';
import { median } from './quantiles.ts';
import type { BenchRow } from './result-row.ts';

const EACH_WAY = 20;
const PEOPLE = 8;
const MINUTE_MS = 60_000;

/**
 * Decisions per minute of a scripted moderator, who needs no time to think: in the workspace by keyboard and by mouse, and by way of the
 * list of all reports, as before the workspace.
 */
export async function moderationBench(): Promise<BenchRow[]> {
  const stack = await startTestStack();
  const browser = await chromium.launch({
    executablePath: findChromium(process.env),
    args: CHROMIUM_FLAGS,
  });
  try {
    await makeReports(stack.origin, 3 * EACH_WAY + 4);
    const context = await browser.newContext({
      baseURL: stack.origin,
      viewport: { width: 1280, height: 800 },
    });
    const page = await context.newPage();
    const asked = await context.request.get(pathOf(redirectUrl, {}, { login_hint: ADMIN_EMAIL }));
    await page.goto(redirectUrl.answer.parse(await asked.json()).redirectUrl);
    await page.waitForURL('**/admin*');
    await page.goto('/admin?tab=moderation&part=reports');
    const taken = { list: [] as number[], keyboard: [] as number[], mouse: [] as number[] };
    for (let count = 0; count < EACH_WAY; count++)
      taken.list.push(await timeOf(() => decideFromList(page, count)));
    await page.goto('/admin?tab=moderation');
    await evidenceOf(page).waitFor();
    // In turn, so that what else the machine does slows down both.
    for (let count = 0; count < EACH_WAY; count++)
      for (const way of ['keyboard', 'mouse'] as const)
        taken[way].push(await timeOf(() => decideInWorkspace(page, count, way)));
    const list = median(taken.list);
    const perMinute = (ms: number) => `${(MINUTE_MS / ms).toFixed(1)} a minute`;
    const row = (way: string, ours: number): BenchRow => ({
      group: 'moderation',
      row: `median decisions in the workspace by ${way} (beside: by the list of all reports)`,
      ours: perMinute(ours),
      rival: perMinute(list),
      ratio: `${(list / ours).toFixed(2)}×`,
      target: '> 1×',
      ok: ours < list,
    });
    return [row('keyboard', median(taken.keyboard)), row('mouse', median(taken.mouse))];
  } finally {
    await browser.close();
    await stack.stop();
  }
}

const evidenceOf = (page: Page) => page.getByRole('list', { name: 'Messages' });

/** How long an action takes, in milliseconds. */
async function timeOf(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** Decides what is open, until the evidence of the next report is there: in turn no violation and a warning. */
async function decideInWorkspace(
  page: Page,
  count: number,
  way: 'keyboard' | 'mouse',
): Promise<void> {
  const before = await evidenceOf(page).innerText();
  const isWarning = count % 2 === 1;
  if (way === 'keyboard') await page.keyboard.press(isWarning ? '2' : '1');
  else
    await page
      .getByRole('button', { name: isWarning ? /^Warning/ : 'No violation' })
      .first()
      .click();
  await page.waitForFunction(
    (text) => {
      const list = document.querySelector<HTMLElement>('ol[aria-label=Messages]');
      return list !== null && list.innerText !== text;
    },
    before,
    { polling: 20 },
  );
}

/** Opens the first pending report of the list, decides it by the form, and goes back to the list. */
async function decideFromList(page: Page, count: number): Promise<void> {
  await page
    .getByRole('row')
    .filter({ hasText: 'Pending' })
    .first()
    .getByRole('button', { name: /^Open the report/ })
    .click();
  await evidenceOf(page).waitFor();
  await page.getByText('Other decisions').click();
  if (count % 2 === 0) await page.getByLabel('Outcome').selectOption('No violation');
  await page.getByRole('button', { name: 'Decide', exact: true }).click();
  await page.getByRole('status').filter({ hasText: 'Undo' }).first().waitFor();
  await page.getByRole('tab', { name: 'All Reports' }).click();
  await page.getByRole('row').filter({ hasText: 'Pending' }).first().waitFor();
}

/** Makes reports of messages that one person got from several. */
async function makeReports(origin: string, count: number): Promise<void> {
  const person = async (name: string): Promise<Visitor> => {
    const visitor = await signInMember(
      origin,
      `bench.${crypto.randomUUID().slice(0, 8)}@example.com`,
    );
    await visitor.call(saveProfile, {
      body: { display_name: name, is_location_sharing_enabled: false },
    });
    return visitor;
  };
  const ann = await person('Ann');
  const others: Visitor[] = [];
  for (let made = 0; made < PEOPLE; made++) {
    const other = await person(`Member ${made + 1}`);
    await befriend(ann, other);
    others.push(other);
  }
  for (let made = 0; made < count; made++) {
    const other = others[made % PEOPLE]!;
    const { message } = await other.call(sendMessage, {
      body: { receiver_user_id: ann.user.id, message_text: `Message ${made + 1}: answer me.` },
    });
    await ann.call(reportMessage, {
      body: {
        reported_user_id: other.user.id,
        message_id: message.id,
        report_type: 'harassment',
        description: 'They keep writing to me.',
      },
    });
  }
}
