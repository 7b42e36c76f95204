import { listReports } from '#shared/moderation/admin-contract.ts';
import { listPlannedWalks } from '#shared/planned-walks/contract.ts';
import { expect, expectAccessible, offlineTest, test, untilStored } from '../browser.ts';
import { befriend } from '../friends/befriend.ts';
import { makePlace } from '../locations/made-places.ts';

offlineTest(
  'a walk that is planned offline reaches a friend, whose offline answer comes back',
  async ({ owner, admin }) => {
    const ann = await owner({
      name: 'Ann',
      dogs: [{ name: 'Rex', sound_type: 'leash_on' }],
      context: { viewport: { width: 360, height: 740 } },
    });
    const bob = await owner({ name: 'Bob' });
    await befriend(ann, bob);
    const item = ({ page }: typeof ann) =>
      page.getByRole('main').getByRole('listitem').filter({ hasText: 'Oak Park' }).first();

    // Ann plans a walk without a network.
    await ann.page.goto('/social');
    await untilStored(ann.page);
    await ann.page.getByRole('link', { name: 'Planned walks' }).click();
    await expect(ann.page.getByText('No walks planned.', { exact: false })).toBeVisible();
    await bob.page.goto('/walks/planned');
    await untilStored(bob.page);
    await ann.page.getByRole('button', { name: 'Plan a walk' }).click();
    const form = ann.page.getByRole('dialog', { name: 'Plan a Walk' });
    await expect(form.getByRole('checkbox', { name: 'Bob' })).toBeVisible();
    await ann.context.setOffline(true);
    await form.getByLabel('Date and time').fill('2020-01-01T10:00');
    await form.getByLabel('Place', { exact: true }).fill('Oak Park');
    await form.getByRole('button', { name: 'Invite friends' }).click();
    await expect(form.getByText('Choose at least one friend')).toBeVisible();
    await form.getByRole('checkbox', { name: 'Bob' }).check();
    await form.getByRole('button', { name: 'Invite friends' }).click();
    await expect(form.getByText('Choose a time in the future')).toBeVisible();
    await expectAccessible(ann.page);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await form.getByLabel('Date and time').fill(`${tomorrow}T17:30`);
    await form.getByLabel('Note').fill('Bring water');
    await form.getByRole('button', { name: 'Invite friends' }).click();
    await expect(form).toBeHidden();
    await expect(item(ann).getByText('Not sent yet')).toBeVisible();

    // Still there after a restart without a network, then sent.
    await ann.page.reload();
    await expect(item(ann).getByText('Not sent yet')).toBeVisible();
    await ann.context.setOffline(false);
    await expect(item(ann).getByText('Not sent yet')).toBeHidden();

    // Bob sees it at once, and answers without a network.
    await expect(bob.page.getByText('Ann invited you to a walk.')).toBeVisible();
    await expect(item(bob).getByText('Bring water')).toBeVisible();
    // He sees with which dogs he would walk, and can ask.
    const dogs = item(bob).getByRole('list', { name: 'Dogs' });
    await expect(dogs).toContainText('RexNeeds space');
    await expect(item(bob).getByRole('link', { name: 'Message Ann' })).toHaveAttribute(
      'href',
      `/chat/${ann.user.id}`,
    );
    await expectAccessible(bob.page);
    await bob.context.setOffline(true);
    await bob.page.reload();
    await item(bob).getByRole('button', { name: 'Yes' }).click();
    await expect(item(bob).getByRole('button', { name: 'Yes', pressed: true })).toBeVisible();
    await expect(item(bob).getByText('Not sent yet')).toBeVisible();
    await item(bob)
      .getByRole('button', { name: /^Report the walk/ })
      .click();
    const report = bob.page.getByRole('dialog', { name: 'Report Planned Walk' });
    await expect(report).toContainText('Bring water');
    await report.getByLabel('What’s wrong with it?').selectOption('Spam');
    await report.getByLabel('What happened?').fill('This is an advertisement.');
    await report.getByRole('button', { name: 'Submit' }).click();
    await expect(report).toBeHidden();
    await expect(item(ann).getByText('No answer yet')).toBeVisible();
    await bob.context.setOffline(false);
    await expect(item(bob).getByText('Not sent yet')).toBeHidden();
    const query = { subject_type: 'planned_walk', reported_user_id: ann.user.id } as const;
    await expect
      .poll(async () => (await admin.call(listReports, { query })).reports.length)
      .toBe(1);

    // Ann sees the answer, also on the home screen, where walking comes first.
    await expect(ann.page.getByText('Bob is coming to your walk.')).toBeVisible();
    await ann.page.goto('/home');
    const next = ann.page.getByRole('region', { name: 'Planned walks' });
    await expect(next.getByRole('listitem')).toContainText(['1 coming']);
    await expect(ann.page.getByRole('button', { name: 'Start walk' })).toBeInViewport({ ratio: 1 });
    await expect(next).toBeInViewport();
    await expectAccessible(ann.page);
    await next.getByRole('link', { name: /Oak Park/ }).click();

    // And cancels.
    await expect(item(ann).getByText('Coming', { exact: true })).toBeVisible();
    await item(ann)
      .getByRole('button', { name: /^Cancel walk/ })
      .click();
    await ann.page
      .getByRole('dialog', { name: 'Cancel this walk?' })
      .getByRole('button', { name: 'Cancel walk' })
      .click();
    await expect(item(bob).getByText('Canceled', { exact: true })).toBeVisible();
    await expect(item(bob).getByRole('group', { name: /^Are you coming/ })).toHaveCount(0);
    const { planned_walks } = await ann.call(listPlannedWalks);
    expect(planned_walks).toMatchObject([
      { is_canceled: true, participants: [{ name: 'Bob', answer: 'yes' }] },
    ]);

    // A friend's profile leads to a walk with them, and back.
    await ann.page.goto(`/people/${bob.user.id}`);
    await ann.page.getByRole('link', { name: 'Plan a walk' }).click();
    await expect(form.getByRole('checkbox', { name: 'Bob' })).toBeChecked();
    await ann.page.goto(`/people/${bob.user.id}`);
    await ann.page.getByRole('link', { name: 'Back', exact: true }).click();
    await expect(ann.page).toHaveURL('/social');
  },
);

test('a walk begins at a place that is suggested while one types, and two at one time are noticed', async ({
  owner,
}) => {
  const ann = await owner({ name: 'Ann', context: { viewport: { width: 360, height: 740 } } });
  const bob = await owner({ name: 'Bob' });
  await befriend(ann, bob);
  const name = `Fern ${Date.now().toString(36)}`;
  const at = { latitude: -60 - Math.random() * 10, longitude: Math.random() * 100 };
  const place = await makePlace(bob, { ...at, name, confirm_new: true });

  const { page } = ann;
  const form = page.getByRole('dialog', { name: 'Plan a Walk' });
  const field = form.getByLabel('Place', { exact: true });
  const walks = async () => (await ann.call(listPlannedWalks)).planned_walks;
  await page.goto(`/walks/planned?open=plan-walk-with&id=${bob.user.id}`);
  await field.fill(name.slice(0, 7));
  await form.getByRole('list', { name: 'Suggestions' }).getByRole('button', { name }).click();
  await expect(field).toHaveValue(name);
  await expect(form.getByText('Your friends get directions to it.')).toBeVisible();
  // Coordinates are for places without a name that anybody knows.
  await expect(form.getByText('Enter coordinates')).toBeHidden();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Invite friends' }).click();
  await expect(form).toBeHidden();
  await expect.poll(walks).toMatchObject([{ place_name: name, location_id: place.id }]);

  // Another name is another place. The same time is possible.
  await page.goto(`/walks/planned?open=plan-walk&id=${place.id}`);
  await expect(field).toHaveValue(name);
  await expect(form.getByText(`You have another walk then: ${name}`)).toBeVisible();
  await field.fill('My garden');
  await form.getByText('Show your friends the exact spot').click();
  await form.getByText('Enter coordinates').click();
  await form.getByLabel('Latitude').fill('-61');
  await form.getByLabel('Longitude').fill('20');
  await field.fill('Our garden');
  await form.getByRole('checkbox', { name: 'Bob' }).check();
  await form.getByRole('button', { name: 'Invite friends' }).click();
  await expect(form).toBeHidden();
  await expect
    .poll(async () => (await walks()).find(({ place_name }) => place_name === 'Our garden'))
    .toMatchObject({ location_id: null, latitude: -61, longitude: 20 });
});
