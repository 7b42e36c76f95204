import { createCharity } from '#shared/charities/contract.ts';
import { listAllWarnings } from '#shared/moderation/admin-contract.ts';
import { reportContent } from '#shared/moderation/contract.ts';
import { expect, expectAccessible, test } from '../browser.ts';

test('a moderator sees what waits, finds a person in the directory, opens it and acts', async ({
  owner,
  device,
  admin,
}) => {
  const ann = await owner({ name: 'Ann' });
  const wolf = await owner({ name: 'Wolfram' });
  await ann.call(reportContent, {
    body: {
      subject_type: 'person',
      reported_user_id: wolf.user.id,
      report_type: 'harassment',
      description: 'He shouts at everybody.',
    },
  });
  await ann.call(createCharity, {
    body: {
      charity_name: 'Paws for all',
      description: 'We find homes for dogs.',
      contact_name: 'Paula',
      contact_email: 'paula@example.com',
      payment_link: 'https://example.com/give',
    },
  });

  // What waits, with links to the lists.
  const { page } = await device({ ...ann, email: 'admin@example.com' });
  await page.goto('/admin?tab=overview');
  const waiting = page.getByRole('list', { name: 'Waiting for you' });
  await expect(waiting.getByRole('link', { name: /Reports to decide/ })).toBeVisible();
  await expect(
    waiting.getByRole('link', { name: /Charity applications and suggestions.*Oldest/ }),
  ).toBeVisible();
  await expect(page.getByRole('img', { name: /^New members: / })).toBeVisible();
  await page.getByText('Show as a table: New members by day').click();
  await expect(page.getByRole('table', { name: 'New members by day' })).toBeVisible();
  await expectAccessible(page);
  await waiting.getByRole('link', { name: /Reports to decide/ }).click();
  await expect(page).toHaveURL(/part=queue/);
  await expect(page.getByRole('tab', { name: 'Moderation' })).toHaveAttribute(
    'aria-selected',
    'true',
  );

  // The directory: search, open, act.
  await page.getByRole('tab', { name: 'People' }).click();
  await page.getByLabel('Search by name, email or user ID').fill(wolf.email);
  const row = page.getByRole('row').filter({ hasText: wolf.email });
  await expect(row).toContainText(wolf.email);
  await expect(row).toContainText('Member');
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Open person Wolfram' }).click();
  const person = page.getByRole('dialog', { name: 'Person' });
  await expect(person.getByRole('region', { name: 'Reports about this person' })).toContainText(
    'He shouts at everybody.',
  );
  await person.getByRole('button', { name: 'Issue a sanction' }).click();
  await person.getByLabel('Sanction', { exact: true }).selectOption('Termination');
  await expect(person).toContainText('We don’t send the notice for you.');
  // Neither the end of the account nor the authority is preset.
  for (const label of ['End this account for good', 'Illegal: notify law enforcement']) {
    await expect(person.getByLabel(label)).not.toBeChecked();
    await person.getByLabel(label).check();
  }
  await person.getByLabel('Reason (shown to the person)').fill('Threats.');
  await expectAccessible(page);
  await person.getByRole('button', { name: 'Issue sanction' }).press('Enter');
  await expect(person.getByRole('region', { name: 'Sanctions' })).toContainText('Threats.');

  // The notice waits until it is recorded, and the opening is in the audit log.
  await page.goto('/admin?tab=overview');
  await page.getByRole('link', { name: /Law enforcement notices to send/ }).click();
  await page.getByLabel('Search by name, email or user ID').fill(wolf.email);
  await page
    .getByRole('row')
    .filter({ hasText: 'Wolfram' })
    .getByRole('button', { name: /Record notice/ })
    .click();
  const notice = page.getByRole('dialog', { name: 'Law enforcement notice' });
  await notice.getByLabel('Authority').fill('Springfield Police');
  await expectAccessible(page);
  await notice.getByRole('button', { name: 'Record notice' }).press('Enter');
  await expect(notice).toBeHidden();
  const { warnings } = await admin.call(listAllWarnings, { query: { user_id: wolf.user.id } });
  expect(warnings).toMatchObject([
    { is_notice_due: false, notice: { authority: 'Springfield Police' } },
  ]);
  await page.goto(`/admin?tab=audit-log&subject_id=${wolf.user.id}`);
  await expect(page.getByRole('row', { name: /Open person/ })).toBeVisible();
});
