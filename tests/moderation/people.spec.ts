import { createFriendRequest } from '#shared/friends/contract.ts';
import { listReports } from '#shared/moderation/admin-contract.ts';
import { createRule } from '#shared/moderation/rules-contract.ts';
import { getUserProfile } from '#shared/profile/contract.ts';
import { expect, expectAccessible, test } from '../browser.ts';
import { givePicture } from '../my-dogs.ts';

test('reports a person, a picture and a friend request, and a moderator acts on them', async ({
  owner,
  device,
  admin,
}) => {
  const ann = await owner({ name: 'Ann' });
  const wolf = await owner({ name: 'Wolf', dogs: [{ name: 'Fang', sound_type: 'leash_on' }] });
  await givePicture(wolf);
  const message = 'Give me your number';
  await wolf.call(createFriendRequest, { body: { receiver_user_id: ann.user.id, message } });

  // The request, in a separate dialog.
  const { page } = ann;
  await page.goto('/social?tab=requests');
  await page.getByRole('button', { name: 'Report the request from Wolf' }).click();
  const ofRequest = page.getByRole('dialog', { name: 'Report Friend Request' });
  await expect(ofRequest).toContainText(message);
  await ofRequest.getByLabel('What’s wrong with it?').selectOption('Harassment');
  await ofRequest.getByLabel('What happened?').fill('I do not know him.');
  await ofRequest.getByRole('button', { name: 'Submit' }).click();
  await expect(ofRequest).toBeHidden();

  // The person and the picture, where their profile is open; without a network, too.
  await page.getByRole('link', { name: 'Wolf' }).click();
  await expect(page).toHaveURL(`/people/${wolf.user.id}`);
  const profile = page.getByRole('main');
  await expect(profile).toContainText('Fang');
  await ann.context.setOffline(true);
  for (const [button, form] of [
    ['Report User', 'Report Person'],
    ['Report the photo of Fang', 'Report Photo'],
  ] as const) {
    await profile.getByRole('button', { name: button }).click();
    const report = page.getByRole('dialog', { name: form });
    await report.getByLabel(/^What’s wrong/).selectOption('Inappropriate content');
    await report.getByLabel('What happened?').fill('This does not belong here.');
    await expectAccessible(page);
    await report.getByRole('button', { name: 'Submit' }).click();
    await expect(report).toBeHidden();
  }
  await ann.context.setOffline(false);
  const query = { reported_user_id: wolf.user.id };
  await expect
    .poll(async () => {
      const { reports } = await admin.call(listReports, { query });
      return reports.map(({ subject_type }) => subject_type).toSorted();
    })
    .toEqual(['friend_request', 'person', 'picture']);

  // A moderator decides about the picture, then opens the person from there.
  const { page: panel } = await device({ ...ann, email: 'admin@example.com' });
  const all = `/admin?tab=moderation&part=reports&reported_user_id=${wolf.user.id}`;
  await panel.goto(all);
  const row = panel.getByRole('row', { name: /Photo: Inappropriate/ });
  await row.getByRole('button', { name: 'Open the report about Wolf' }).click();
  const report = panel.getByRole('tabpanel', { name: 'Reports' });
  await expect(report.getByRole('img')).toHaveCount(0);
  await expect(report).toContainText('Reported photo of Fang');
  await report.getByLabel('Remove the photo of Fang').check();
  await report.getByText('Other decisions').click();
  await report.getByLabel('Sanction').selectOption('No sanction');
  await expectAccessible(panel);
  await report.getByRole('button', { name: 'Decide', exact: true }).click();
  await expect(report.getByRole('status').filter({ hasText: 'Undo' })).toBeVisible();
  await panel.goto(all);
  await expect(row).toContainText('Resolved');

  await panel
    .getByRole('row', { name: /Person: Inappropriate/ })
    .getByRole('button')
    .click();
  await report.getByRole('button', { name: 'Open person Wolf' }).click();
  const person = panel.getByRole('dialog', { name: 'Person' });
  await expect(person).toContainText(wolf.email);
  await expect(person.getByRole('region', { name: 'Reports about this person' })).toContainText(
    'Friend request: Harassment',
  );
  await expectAccessible(panel);
  await person.getByRole('button', { name: 'Hide name Wolf' }).click();
  await expect(person.getByRole('button', { name: 'Show name Wolf' })).toBeVisible();
  await person.getByRole('button', { name: 'Issue a sanction' }).click();
  await expect(person.getByRole('heading', { name: 'New sanction' })).toBeFocused();
  await person.getByLabel('Reason (shown to the person)').fill('Leave people alone.');
  // With the keyboard: a second click at the same place within a moment is ignored.
  await person.getByRole('button', { name: 'Issue sanction' }).press('Enter');
  await expect(person.getByRole('region', { name: 'Sanctions' })).toContainText(
    'Leave people alone.',
  );
  const params = { id: wolf.user.id };
  // The decision takes effect when it can no longer be undone.
  await expect
    .poll(async () => ann.call(getUserProfile, { params }), { timeout: 30_000 })
    .toMatchObject({ display_name: 'Dog owner', dogs: [{ image_key: null }] });

  // And finds the person again by the email address.
  await panel.goto('/admin?tab=people');
  await panel.getByLabel('Search by name, email or user ID').fill(wolf.email);
  const found = panel.getByRole('row').filter({ hasText: wolf.email });
  await found.getByRole('button', { name: 'Open person Wolf' }).click();
  await expect(person).toContainText('Hidden');
});

test('does not save a name with blocked words on the device', async ({ owner, admin }) => {
  const body = {
    rule_type: 'word',
    rule_name: 'Fruit',
    rule_pattern: 'durian',
    severity: 'critical',
    action: 'block',
  } as const;
  await admin.call(createRule, { body });
  const { page } = await owner({ name: 'Sam' });
  await page.goto('/onboarding');
  await expect(page.getByRole('heading', { name: 'Edit Profile' })).toBeVisible();
  const name = page.getByLabel('Display name');
  await name.fill('Sweet durian');
  await expect(name).toHaveAccessibleDescription(/This name contains content that violates/);
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await name.fill('Sweet apple');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
});
