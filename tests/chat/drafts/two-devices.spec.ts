import { listDrafts } from '#shared/chat/contract.ts';
import { expect, expectAccessible, test, type Owner } from '../../browser.ts';
import { befriend } from '../../friends/befriend.ts';
import { input, openChat } from '../chat-screen.ts';

const untilOnServer = ({ call }: Owner, text: string) =>
  expect
    .poll(async () => (await call(listDrafts)).drafts.map((draft) => draft.text))
    .toContain(text);

const SMALL = { viewport: { width: 360, height: 740 } };

test('two drafts from two offline devices are both kept, and the bar above the composer offers the other one', async ({
  owner,
  device,
}) => {
  const alex = await owner({ name: 'Alex', context: SMALL });
  const sam = await owner({ name: 'Sam' });
  await befriend(alex, sam);
  await openChat(alex.page, sam);
  const phone = await device(alex, SMALL);
  await openChat(phone.page, sam);
  for (const { context } of [alex, phone]) await context.setOffline(true);

  const first = 'Shall we meet at the north gate on Saturday morning?';
  await input(alex.page).fill(first);
  await input(phone.page).fill('Rex has a cold, so let’s walk on Sunday');
  await alex.context.setOffline(false);
  await untilOnServer(alex, first);
  await phone.context.setOffline(false);
  const bar = phone.page
    .getByRole('status')
    .filter({ hasText: 'You wrote this on another device' });
  await expect(bar).toContainText(first);
  await expect(input(phone.page)).toHaveValue('Rex has a cold, so let’s walk on Sunday');
  const { x, width } = (await bar.boundingBox())!;
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(360);
  await expectAccessible(phone.page);

  await bar.getByRole('button', { name: 'Use it' }).click();
  await expect(bar).toBeHidden();
  await expect(input(phone.page)).toHaveValue(first);
  await expect(input(alex.page)).toHaveValue(first);
  await expect(alex.page.getByText('You wrote this on another device')).toBeHidden();
});
