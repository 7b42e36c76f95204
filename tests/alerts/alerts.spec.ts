import type { Page } from '@playwright/test';
import { createAlert, deactivateAlert, type AdminAlert } from '#shared/alerts/admin-contract.ts';
import { createHazard } from '#shared/hazards/contract.ts';
import type { Place } from '#shared/place.ts';
import {
  expect,
  expectAccessible,
  offlineTest,
  test,
  untilStored,
  type Owner,
} from '../browser.ts';
import { waitForTapGuard } from '../http/tap-helpers.ts';
import { actionsOf, record } from '../proximity/recording.ts';

const somewhere = () => ({ latitude: -30 - Math.random() * 8, longitude: 100 * Math.random() });
const center = (page: Page) => page.getByRole('region', { name: 'Alert center' });
const floating = (page: Page) => page.getByRole('region', { name: 'Severe alerts' });

async function issue(
  admin: Pick<Owner, 'call'>,
  at: Place,
  change: object = {},
): Promise<AdminAlert> {
  const { alert } = await admin.call(createAlert, {
    body: {
      alert_type: 'public_safety',
      severity: 'severe',
      title: 'Gas leak',
      description: 'A pipe broke at the north gate.',
      instructions: 'Keep away from the park.',
      affected_latitude: at.latitude,
      affected_longitude: at.longitude,
      radius_miles: 10,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      ...change,
    },
  });
  return alert;
}

test('shows an alert that was issued while the app was closed', async ({ owner, admin }) => {
  const at = somewhere();
  const { page } = await owner({ name: 'Ari', sharing: true, at });
  await page.goto('/home');
  await expect(center(page)).toContainText('No active alerts in your area');
  await page.goto('about:blank');
  await issue(admin, at);
  await page.goto('/home');
  await expect(floating(page)).toContainText('Severe: Gas leak');
  // At the top right.
  const { width = 0 } = page.viewportSize() ?? {};
  const box = await floating(page).getByText('Severe: Gas leak').boundingBox();
  expect(box!.x).toBeGreaterThan(width / 2);
  expect(box!.y).toBeLessThan(200);
});

offlineTest(
  'a severe alert notifies, vibrates, and sounds once, and can be acknowledged offline',
  async ({ owner, admin }) => {
    const at = somewhere();
    const { context, page } = await owner({ name: 'Ada', sharing: true, at });
    await record(context);
    await page.goto('/home');
    await expect(page.getByText('Location tracking active')).toBeVisible();
    await expect(center(page)).toContainText('No active alerts in your area');
    // A first tap lets the browser sound.
    await page.getByRole('heading', { name: 'Welcome, Ada' }).click();

    await issue(admin, at);
    await expect(floating(page)).toContainText('Severe: Gas leak');
    await expect(floating(page)).toContainText('Keep away from the park.');
    await expect(center(page)).toContainText('Alerts in your area (1)');
    await expect
      .poll(async () => (await actionsOf(page)).filter(({ what }) => what === 'vibrate'))
      .toHaveLength(2);
    const effects = await actionsOf(page);
    expect(effects.filter(({ what }) => what === 'notify')).toEqual([
      expect.objectContaining({
        title: 'Gas leak',
        body: 'Keep away from the park.',
        isUrgent: true,
      }),
    ]);
    expect(effects.filter(({ what }) => what === 'tone')).toHaveLength(1);
    await expectAccessible(page);

    // Dismissed, the alert is still in the alert center. After a reload it is not announced again.
    await waitForTapGuard(page);
    await floating(page).getByRole('button', { name: 'Dismiss: Gas leak' }).click();
    await expect(floating(page)).not.toContainText('Gas leak');
    await expect(center(page)).toContainText('Gas leak');
    await page.reload();
    await expect(floating(page)).toContainText('Gas leak');
    await expect(page.getByText('Location tracking active')).toBeVisible();
    expect((await actionsOf(page)).filter(({ what }) => what === 'notify')).toEqual([]);

    await untilStored(page);
    await context.setOffline(true);
    await center(page).getByRole('button', { name: 'Acknowledge Gas leak' }).click();
    await expect(center(page)).toContainText('1 active alert in your area, acknowledged');
    await expect(floating(page)).not.toContainText('Gas leak');
    await page.reload();
    await expect(center(page)).not.toContainText('Gas leak');
    const acknowledged = page.waitForResponse((response) =>
      response.url().endsWith('/acknowledge'),
    );
    await context.setOffline(false);
    const answer = await acknowledged;
    expect(answer.status()).toBe(200);
    // The request names the severity that the user saw, since it may have risen.
    expect(answer.request().postDataJSON()).toEqual({ severity: 'severe' });
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage))
        if (key.startsWith('cache-')) localStorage.removeItem(key);
    });
    await page.reload();
    await expect(center(page)).toContainText('1 active alert in your area, acknowledged');
  },
);

test('a late response does not override alerts received since its request', async ({
  owner,
  admin,
}) => {
  const at = somewhere();
  const { page } = await owner({ name: 'Ada', sharing: true, at });
  let asked = 0;
  let isAnswered = false;
  let laterAnswers = 0;
  let releaseAnswer = () => {};
  const isReleased = new Promise<void>((resolve) => (releaseAnswer = resolve));
  await page.route('**/api/emergency-alerts?*', async (route) => {
    asked += 1;
    const isFirst = asked === 1;
    const answer = await route.fetch();
    if (!isFirst) {
      await route.fulfill({ response: answer });
      laterAnswers += 1;
      return;
    }
    isAnswered = true;
    await isReleased;
    await route.fulfill({ response: answer });
  });
  await page.goto('/home');
  await expect(page.getByText('Location tracking active')).toBeVisible();
  await expect.poll(() => isAnswered).toBe(true);

  await issue(admin, at);
  await expect(floating(page)).toContainText('Severe: Gas leak');
  releaseAnswer();
  // The app asks again instead, and once more if the alert was announced again in the meantime.
  await expect.poll(() => laterAnswers).toBeGreaterThan(0);
  await expect(floating(page)).toContainText('Severe: Gas leak');
  expect(asked).toBeLessThanOrEqual(3);
});

test('a toast is below a severe alert on a phone, and can be pressed', async ({ owner, admin }) => {
  const at = somewhere();
  await issue(admin, at);
  const { page } = await owner({
    name: 'Ada',
    sharing: true,
    at,
    context: { viewport: { width: 360, height: 740 } },
  });
  await page.goto('/home');
  await expect(page.getByText('Location tracking active')).toBeVisible();
  await expect(floating(page)).toContainText('Severe: Gas leak');
  const sam = await owner({ name: 'Sam', sharing: true, at });
  await sam.call(createHazard, { body: { kind: 'glass', ...at } });
  const toast = page.getByRole('listitem').filter({ hasText: 'Nearby: Broken glass' });
  await expect(toast).toBeInViewport({ ratio: 1 });
  await expect(async () => {
    const [above, below] = [await floating(page).boundingBox(), await toast.boundingBox()];
    expect(below!.y).toBeGreaterThanOrEqual(above!.y + above!.height);
  }).toPass();
  await toast.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(/hazard=/);
});

test('long severe alerts fit a phone with doubled text size', async ({ owner, admin }) => {
  const at = somewhere();
  for (const number of [1, 2])
    await issue(admin, at, {
      title: `${number} ${'Evacuate the whole riverside now. '.repeat(5)}`,
      instructions: 'Leave by the north gate. '.repeat(20),
    });
  const { context, page } = await owner({
    name: 'Ada',
    sharing: true,
    at,
    context: { viewport: { width: 360, height: 640 } },
  });
  const browser = await context.newCDPSession(page);
  await browser.send('Page.enable');
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  await page.goto('/home');
  const gotIt = floating(page).getByRole('button', { name: /^Got it/ });
  await expect(gotIt).toHaveCount(2);
  await expect(gotIt.first()).toBeInViewport({ ratio: 1 });
  // The second alert is below and can be scrolled to.
  await floating(page).getByText('Severe: 2').hover();
  await page.mouse.wheel(0, 2000);
  await expect(gotIt.last()).toBeInViewport({ ratio: 1 });
});

test('orders several alerts, scrolls them, and removes ended ones', async ({ owner, admin }) => {
  const at = somewhere();
  const made: AdminAlert[] = [];
  for (const severity of ['minor', 'extreme', 'moderate', 'severe', 'severe'])
    made.push(await issue(admin, at, { severity, title: `A ${severity} thing`, expires_at: null }));
  const { context, page } = await owner({
    name: 'Ada',
    sharing: true,
    at,
    context: { viewport: { width: 360, height: 740 } },
  });
  await record(context);
  await page.goto('/home');
  await expect(center(page).getByRole('heading', { level: 3 })).toHaveText([
    'A extreme thing',
    'A severe thing',
    'A severe thing',
    'A moderate thing',
    'A minor thing',
  ]);
  await expect(floating(page)).toContainText('and 1 more in the alert center');
  await expect(page.getByRole('button', { name: 'End walk' })).toBeVisible();
  // The two that are not severe share one notification.
  await expect
    .poll(async () =>
      (await actionsOf(page)).flatMap((effect) => (effect.what === 'notify' ? [effect.title] : [])),
    )
    .toEqual(
      expect.arrayContaining(['A extreme thing', '2 new alerts in your area', 'A severe thing']),
    );
  const list = center(page).getByRole('list', { name: 'Active alerts' });
  const heights = await list.evaluate(({ clientHeight, scrollHeight }) => ({
    clientHeight,
    scrollHeight,
  }));
  expect(heights.clientHeight).toBe(384);
  expect(heights.scrollHeight).toBeGreaterThan(384);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  // The scrolling list does not make the page longer.
  const beyond = await page.evaluate(
    () =>
      document.documentElement.scrollHeight -
      (document.querySelector('#root')?.getBoundingClientRect().bottom ?? 0) -
      scrollY,
  );
  expect(Math.round(beyond)).toBeLessThanOrEqual(0);
  await expectAccessible(page);

  for (const { id } of made.slice(1)) await admin.call(deactivateAlert, { params: { id } });
  await expect(center(page)).toContainText('Alerts in your area (1)');
  await expect(floating(page)).not.toContainText('thing');
  await expect(center(page)).toContainText('Minor · Until further notice');
});
