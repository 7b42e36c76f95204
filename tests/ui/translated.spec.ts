import type { BrowserContext, Page } from '@playwright/test';
import { ADMIN_EMAIL } from '../../scripts/session/api-session.ts';
import { expect, position, screenHeading, test } from '../browser.ts';
import { messages, openChat, write } from '../chat/chat-screen.ts';
import { befriend } from '../friends/befriend.ts';
import { addDog, deleteDog, dogRow, editDog } from '../my-dogs.ts';

/** Translates pages as browsers do: puts `<font>` in place of each text node, also of those that come later. The words stay. */
async function translate(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const UNTOUCHED = 'script, style, textarea, option, svg, font';
    const replace = (text: Text) => {
      if (!text.data.trim() || !text.parentElement || text.parentElement.closest(UNTOUCHED)) return;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = text.data;
      outer.append(inner);
      text.parentNode?.replaceChild(outer, text);
      translated += 1;
    };
    const replaceIn = (root: Node) => {
      if (root instanceof Text) return replace(root);
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) replace(text);
    };
    let translated = 0;
    addEventListener('DOMContentLoaded', () => {
      const observer = new MutationObserver((records) => {
        for (const { addedNodes } of records)
          for (const node of addedNodes) if (node.isConnected) replaceIn(node);
        document.documentElement.dataset['translated'] = String(translated);
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
  });
}

/** Collects what breaks on a page. */
function failuresOf(page: Page): string[] {
  const failures: string[] = [];
  page.on('pageerror', ({ message }) => failures.push(message));
  page.on('console', (line) => {
    if (/NotFoundError|stopped working|removeChild|insertBefore/.test(line.text()))
      failures.push(line.text());
  });
  return failures;
}

async function expectWhole(page: Page, failures: string[], what: string) {
  await expect(screenHeading(page).first()).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-translated', /[1-9]/);
  expect([what, failures]).toEqual([what, []]);
  await expect(page.getByText('This part of the app stopped working')).toHaveCount(0);
}

test('a translated home screen, chat and the other screens of members go on', async ({ owner }) => {
  const here = { latitude: 62 + Math.random(), longitude: 21.5 };
  const away = (metres: number) => ({ ...here, latitude: here.latitude + metres / 111_320 });
  const rex = { name: 'Rex', sound_type: 'leash_on' } as const;
  const sam = await owner({ name: 'Sam', sharing: true, at: here });
  const ana = await owner({ name: 'Ana', dogs: [rex], sharing: true, at: away(28) });
  await befriend(sam, ana);
  await translate(sam.context);
  const failures = failuresOf(sam.page);
  const { page } = sam;
  await page.goto('/home');
  const nearby = page.getByRole('region', { name: 'Nearby Users' });
  await expect(nearby).toContainText('No one within 100 feet');
  await ana.page.goto('/home');
  await expect(nearby).toContainText('Ana');
  await page
    .getByRole('region', { name: 'Dog nearby' })
    .getByRole('button', { name: 'Got it' })
    .click();
  // Her trend comes, changes and goes.
  await position(ana.context, away(12));
  await expect(nearby).toContainText('Approaching');
  await position(ana.context, away(25));
  await expect(nearby).toContainText('Leaving');
  await position(ana.context, away(400));
  await expect(nearby).toContainText('No one within 100 feet', { timeout: 60_000 });
  await addDog(page, { name: 'Luna', sound_type: 'leash_off' });
  await editDog(page, 'Luna', { name: 'Lana', sound_type: 'leash_on' });
  await deleteDog(page, 'Lana');
  await expect(dogRow(page, 'Lana')).toHaveCount(0);
  await expectWhole(page, failures, 'home');

  await openChat(page, ana);
  await write(page, 'Shall we walk?');
  await openChat(ana.page, sam);
  await write(ana.page, 'At six');
  await expect(messages(page).filter({ hasText: 'At six' })).toHaveCount(1);
  await write(page, 'See you');
  await expectWhole(page, failures, 'chat');

  for (const tab of ['friends', 'requests', 'search', 'chat', 'invitations', 'blocked']) {
    await page.goto(`/social?tab=${tab}`);
    await expectWhole(page, failures, tab);
  }
  await page.goto('/locations');
  await page.getByRole('button', { name: 'Add Location' }).click();
  const adding = page.getByRole('dialog', { name: 'Add Location' });
  await adding.getByRole('button', { name: 'Close' }).click();
  await expect(adding).toBeHidden();
  await expectWhole(page, failures, 'locations');
  await page.goto('/settings');
  const sections = page.getByRole('navigation', { name: 'Settings' });
  for (const link of await sections.getByRole('link').all()) {
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
    for (const each of await page.getByRole('switch').all()) await each.click();
    await expectWhole(page, failures, 'settings');
  }
  for (const path of ['/dogs', '/you', '/walks', '/walks/planned', '/community', '/onboarding']) {
    await page.goto(path);
    await expectWhole(page, failures, path);
  }
});

test('translated screens of visitors, advertisers and admins go on', async ({
  page,
  context,
  device,
}) => {
  await translate(context);
  const failures = failuresOf(page);
  await page.goto('/');
  for (let times = 0; times < 2; times++)
    await page
      .getByRole('button', { name: /^Learn More|^Show less/i })
      .first()
      .click();
  await expectWhole(page, failures, 'landing');
  for (const path of ['/welcome', '/terms', '/privacy', '/advertiser', '/charity-signup']) {
    await page.goto(path);
    await expectWhole(page, failures, path);
  }
  await page.goto('/advertiser-signup');
  await page.getByLabel('Company').fill('Kibble');
  await page.getByRole('button', { name: 'Continue' }).first().click();
  await expectWhole(page, failures, 'advertiser sign-up');

  const admin = await device({ email: ADMIN_EMAIL });
  await translate(admin.context);
  const adminFailures = failuresOf(admin.page);
  await admin.page.goto('/admin?tab=overview');
  const tabs = admin.page.getByRole('tablist').first().getByRole('tab');
  await expect(tabs.first()).toBeVisible();
  for (const each of await tabs.all()) {
    await each.click();
    await expect(admin.page.getByRole('tabpanel').first()).not.toBeEmpty();
    await expectWhole(admin.page, adminFailures, (await each.textContent()) ?? '');
  }
});
