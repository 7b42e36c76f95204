import { planWalkWith } from '#shared/planned-walks/rules.ts';
import { expect, expectAccessible, test } from '../browser.ts';
import { befriend } from '../friends/befriend.ts';
import { messages, openChat, write } from './chat-screen.ts';

const LAKE = { latitude: 51.507_35, longitude: -0.127_76 };

test('a chat opens in place unless somebody walks here, who then still gets warnings', async ({
  owner,
}) => {
  const alex = await owner({ name: 'Alex' });
  const sam = await owner({ name: 'Sam' });
  const walker = await owner({ name: 'Walker', sharing: true, at: LAKE });
  await befriend(alex, sam);
  await befriend(walker, sam);
  for (const { page } of [alex, walker]) await page.goto(`/people/${sam.user.id}`);
  const leads = ({ page }: typeof alex) => page.getByRole('link', { name: /^Send Message/ });
  await expect(leads(alex)).not.toHaveAttribute('target');
  await leads(alex).click();
  await expect(alex.page).toHaveURL(`/chat/${sam.user.id}`);
  expect(alex.context.pages()).toHaveLength(1);

  await expect(leads(walker)).toHaveAttribute('target', '_blank');
  const opening = walker.context.waitForEvent('page');
  await leads(walker).click();
  await expect(await opening).toHaveURL(`/chat/${sam.user.id}`);
  await expect(walker.page).toHaveURL(`/people/${sam.user.id}`);
});

test('a thread leads to a walk with the friend, and sends where its writer is once', async ({
  owner,
}) => {
  const alex = await owner({ name: 'Alex', at: LAKE });
  const sam = await owner({ name: 'Sam' });
  await befriend(alex, sam);
  const { page } = alex;
  await openChat(page, sam);
  // The guidelines were read: the message is what comes next.
  await expect(page.getByLabel('Message to Sam')).toBeFocused();
  await page.getByRole('button', { name: 'Add a photo or place' }).click();
  await page.getByRole('menuitem', { name: 'Where I am now' }).click();
  const question = page.getByRole('dialog', { name: 'Send where you are?' });
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Send my place' }).click();
  await expect(question).toBeHidden();
  const link = messages(page).getByRole('link');
  await expect(link).toHaveAttribute('href', /mlat=51\.50735&mlon=-0\.12776/);
  await expect(messages(page)).toHaveCount(1);

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Plan a walk' }).click();
  await expect(page).toHaveURL(planWalkWith(sam.user.id));
  await expect(page.getByRole('checkbox', { name: /Sam/ })).toBeChecked();

  // With a keyboard open, most of the window is for messages.
  await openChat(page, sam);
  await page.setViewportSize({ width: 360, height: 430 });
  const log = page.getByRole('log');
  await expect.poll(() => log.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(250);
  // Whoever was at the end still is.
  await page.setViewportSize({ width: 360, height: 640 });
  for (let i = 0; i < 8; i += 1) await write(page, `Message ${i}`);
  await page.setViewportSize({ width: 360, height: 430 });
  await expect(messages(page).last()).toBeInViewport();
  await expectAccessible(page);
});
