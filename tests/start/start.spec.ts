import { expect, offlineTest, untilStored } from '../browser.ts';

offlineTest('a start asks the API once for what the dashboard needs', async ({ owner }) => {
  const { page, context } = await owner({
    sharing: true,
    at: { latitude: 51.5, longitude: -0.12 },
  });
  await page.goto('/home');
  await untilStored(page);
  await expect(page.getByRole('link', { name: 'Add dog' }).first()).toBeVisible();
  // The first start asks for alerts, and remembers where.
  await expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).some((key) => key.includes('alerts-cell'))),
    )
    .toBe(true);
  await page.close();
  // Drafts are asked for again once this device hears of changes.
  const alone = [
    '/users/me',
    '/user-warnings',
    '/activity',
    '/planned-walks',
    '/emergency-alerts',
    '/health',
  ].map((path) => `/api${path}`);
  // On a busy machine, a call that takes too long is repeated on its own.
  await expect(async () => {
    const asked: string[] = [];
    const again = await context.newPage();
    again.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const connected = again.waitForEvent('websocket');
    await again.goto('/home');
    await connected;
    await expect(again.getByRole('link', { name: 'Add dog' }).first()).toBeVisible();
    await expect.poll(() => asked).toContain('/api/location');
    await again.close();
    expect(asked).toContain('/api/start');
    expect(asked.filter((path) => alone.includes(path))).toEqual([]);
  }).toPass();
});
