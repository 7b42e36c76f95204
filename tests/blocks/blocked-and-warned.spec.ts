import type { Page } from '@playwright/test';
import { createBlock } from '#shared/blocks/contract.ts';
import { expect, expectAccessible, test } from '../browser.ts';

const PHONE = { viewport: { width: 360, height: 740 } };
const HERE = { latitude: 51 + Math.random(), longitude: -74 };
/** 20 m away. */
const THERE = { ...HERE, latitude: HERE.latitude + 0.00018 };
const warning = (page: Page) => page.getByRole('region', { name: 'Dog nearby' });

test('two people of whom one blocked the other are warned of each other’s dogs without a name', async ({
  owner,
}) => {
  const rex = { name: 'Rex', sound_type: 'leash_on' } as const;
  const bella = { name: 'Bella', sound_type: 'leash_off' } as const;
  const sam = await owner({ name: 'Sam', dogs: [rex], sharing: true, at: HERE, context: PHONE });
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: THERE, context: PHONE });
  await ana.call(createBlock, { body: { blocked_user_id: sam.user.id } });
  for (const { page } of [sam, ana]) await page.goto('/home');

  await expect(warning(ana.page)).toContainText('A dog needs space');
  await expect(warning(ana.page)).toContainText(/within (250|500) ft/);
  // Both are told the same.
  await expect(warning(sam.page)).toContainText('A dog needs space');
  for (const [{ page }, hidden] of [
    [ana, /Sam|Rex/],
    [sam, /Ana|Bella/],
  ] as const) {
    await expect(page.locator('body')).not.toContainText(hidden);
    await expectAccessible(page);
  }
  await warning(ana.page).getByRole('button', { name: 'Got it' }).click();
  await expect(ana.page.getByRole('heading', { name: 'A dog nearby' })).toBeVisible();
});
