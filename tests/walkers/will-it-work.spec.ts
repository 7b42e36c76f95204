import { expect, expectAccessible, test } from '../browser.ts';

for (const [screen, path] of [
  ['Home', '/home'],
  ['the gate', '/access-code'],
] as const)
  test(`the question whether it works here opens where it was pressed, on ${screen}`, async ({
    owner,
    page: visitor,
  }) => {
    const page = path === '/home' ? (await owner()).page : visitor;
    await page.setViewportSize({ width: 360, height: 740 });
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/will-it-work-*.js', async (route) => {
      await isReleased;
      return route.continue();
    });
    await page.goto(path);
    const question = page.getByRole('button', { name: /^Will it work here/ });
    await question.scrollIntoViewIfNeeded();
    const topOf = async () => Math.round((await question.boundingBox())?.y ?? 0);
    const top = await topOf();
    await question.click();
    // Only this part waits, not the screen.
    await expect(page.getByRole('status', { name: 'Loading…' })).toBeVisible();
    await expect(question).toBeFocused();
    release();
    await expect(page.getByLabel('Your town')).toBeVisible();
    await expect(question).toBeFocused();
    expect(await topOf()).toBe(top);
    await expectAccessible(page);
    await question.click();
    await expect(question).toHaveAttribute('aria-expanded', 'false');
    await expect(question).toBeFocused();
  });
