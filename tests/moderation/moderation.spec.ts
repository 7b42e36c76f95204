import type { Page } from '@playwright/test';
import { sendMessage } from '#shared/chat/contract.ts';
import {
  answerAppeal,
  decideReport,
  issueWarning,
  liftWarning,
  listAllWarnings,
  listReports,
} from '#shared/moderation/admin-contract.ts';
import { appealWarning, reportMessage } from '#shared/moderation/contract.ts';
import { createRule, listLog } from '#shared/moderation/rules-contract.ts';
import { expect, expectAccessible, test, type Owner } from '../browser.ts';
import { befriend } from '../friends/befriend.ts';

const say = async (from: Owner, to: Owner, message_text: string) =>
  (await from.call(sendMessage, { body: { receiver_user_id: to.user.id, message_text } })).message;

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const notice = (page: Page) => page.getByRole('region', { name: 'From our moderators' });

test('a moderator decides a report, and the restricted user reads why, appeals and can write again', async ({
  owner,
  device,
}) => {
  const ann = await owner({ name: 'Ann' });
  const wolf = await owner({ name: 'Wolf' });
  await befriend(ann, wolf);
  await say(ann, wolf, 'Please stop writing to me');
  const { id } = await say(wolf, ann, 'I know where you walk');
  await ann.call(reportMessage, {
    body: {
      reported_user_id: wolf.user.id,
      message_id: id,
      report_type: 'harassment',
      description: 'He frightens me.',
    },
  });
  await wolf.page.goto('/home');
  await expect(wolf.page.getByRole('heading', { name: 'Welcome, Wolf' })).toBeVisible();

  const admin = await device({ ...ann, email: 'admin@example.com' });
  const all = `/admin?tab=moderation&part=reports&reported_user_id=${wolf.user.id}`;
  await admin.page.goto(all);
  const row = admin.page.getByRole('row', { name: /Harassment/ });
  await expect(row).toContainText('Pending');
  await expectAccessible(admin.page);
  await admin.page.getByRole('button', { name: 'Open the report about Wolf' }).click();
  const report = admin.page.getByRole('tabpanel', { name: 'Reports' });
  await expect(report.getByRole('listitem').filter({ hasText: '· reported' })).toContainText(
    'I know where you walk',
  );
  await expect(report).toContainText('Please stop writing to me');
  await report.getByText('Other decisions').click();
  // The ladder proposes a warning for a first time; the moderator decides otherwise.
  const what = report.getByLabel('Sanction');
  await expect(what).toHaveValue('warning');
  await what.selectOption('Messaging restriction');
  await report.getByLabel('Reason (shown to the person)').fill('You frightened somebody.');
  await report.getByLabel('Remove the message for both').check();
  await expectAccessible(admin.page);
  await report.getByRole('button', { name: 'Decide', exact: true }).click();
  await expect(report.getByRole('status').filter({ hasText: 'Undo' })).toContainText(
    'Messaging restriction: Wolf',
  );
  await admin.page.goto(all);
  await expect(row).toContainText('Resolved');

  // The notice appears without a reload.
  await expect(notice(wolf.page)).toContainText('You can’t send messages for now');
  await notice(wolf.page).getByRole('button', { name: 'See why' }).click();
  const decisions = dialog(wolf.page, 'From our moderators');
  await expect(decisions).toContainText('You frightened somebody.');
  await decisions.getByRole('button', { name: 'I understand' }).click();
  await expect(decisions.getByRole('button', { name: 'I understand' })).toBeHidden();
  await decisions.getByRole('button', { name: 'Appeal' }).click();
  await expect(decisions.getByRole('textbox')).toBeFocused();
  await decisions.getByLabel('Why should we reverse this?').fill('I meant the park, not her.');
  await expectAccessible(wolf.page);
  await decisions.getByRole('button', { name: 'Send appeal' }).click();
  await expect(decisions).toContainText('You appealed. A moderator will look at it again.');
  await wolf.page.goBack();
  await expect(decisions).toBeHidden();
  await wolf.page.goto('/settings#account');
  await wolf.page.getByRole('button', { name: 'Review decisions' }).click();
  await expect(decisions).toContainText('You appealed.');

  await wolf.page.goto(`/chat/${ann.user.id}`);
  await expect(notice(wolf.page)).toContainText('You can’t send messages for now');
  await expect(wolf.page.getByLabel('Message to Ann')).toBeDisabled();
  await expect(wolf.page.getByRole('log')).not.toContainText('I know where you walk');

  await admin.page.getByRole('tab', { name: 'Warnings' }).click();
  await admin.page.getByLabel('Appeal', { exact: true }).selectOption('Pending');
  await expectAccessible(admin.page);
  await admin.page.getByRole('button', { name: 'Answer the appeal of Wolf' }).first().click();
  // With what it is about: the appeal, who decided, and the report with its evidence.
  const answer = admin.page.getByRole('tabpanel', { name: 'Appeals' });
  await expect(answer).toContainText('I meant the park, not her.');
  await expect(answer).toContainText('Please stop writing to me');
  await answer.getByLabel('Answer', { exact: true }).fill('We believe you, this once.');
  await expectAccessible(admin.page);
  await answer.getByRole('button', { name: 'Revoke the sanction' }).click();
  await expect(answer).not.toContainText('I meant the park, not her.');
  // The notice appears again.
  await expect(notice(wolf.page)).toContainText('Your appeal was answered');
  await expect(notice(wolf.page)).toContainText('It no longer applies.');
  await notice(wolf.page).getByRole('button', { name: 'Read the answer' }).click();
  await expect(decisions).toContainText('A moderator reviewed it and withdrew the decision.');
  await expect(
    decisions.getByRole('heading', { name: 'Messaging restriction, revoked' }),
  ).toBeVisible();
  await expect(decisions).toContainText('We believe you, this once.');
  await decisions.getByRole('button', { name: 'I understand' }).click();
  await expect(decisions.getByRole('button', { name: 'I understand' })).toBeHidden();
  await wolf.page.goBack();
  await expect(decisions).toBeHidden();
  await expect(notice(wolf.page)).toBeHidden();
});

test('keeps the moderator’s input when another moderator decides first', async ({
  owner,
  device,
  admin,
}) => {
  const ann = await owner({ name: 'Ann' });
  const wolf = await owner({ name: 'Wolf' });
  await befriend(ann, wolf);
  const { id: message_id } = await say(wolf, ann, 'I know where you walk');
  const reported_user_id = wolf.user.id;
  const about = { reported_user_id, message_id, report_type: 'harassment' } as const;
  await ann.call(reportMessage, { body: { ...about, description: 'He frightens me.' } });

  // The reporter says more, and another moderator decides.
  const { page } = await device({ ...ann, email: 'admin@example.com' });
  await page.goto(`/admin?tab=moderation&part=reports&reported_user_id=${reported_user_id}`);
  await page.getByRole('button', { name: 'Open the report about Wolf' }).click();
  const report = page.getByRole('tabpanel', { name: 'Reports' });
  await report.getByText('Other decisions').click();
  const decide = report.getByRole('button', { name: 'Decide', exact: true });
  const reason = report.getByLabel('Reason (shown to the person)');
  await reason.fill('You frightened somebody.');
  await ann.call(reportMessage, { body: { ...about, description: 'Now he waits at my door.' } });
  await decide.click();
  await expect(report.getByRole('alert')).toContainText('Your entries are still here.');
  await expect(report).toContainText('Now he waits at my door.');
  await expect(reason).toHaveValue('You frightened somebody.');
  const { reports } = await admin.call(listReports, { query: { reported_user_id } });
  const { id = '', version = 0 } = reports[0] ?? {};
  const sanction = {
    warning_type: 'restriction',
    severity: 'moderate',
    reason: 'Enough.',
  } as const;
  const body = { version, status: 'resolved', sanction } as const;
  await admin.call(decideReport, { params: { id }, body });
  await decide.click();
  await expect(report.getByRole('alert')).toContainText('is now: Resolved');
  await expect(reason).toHaveValue('You frightened somebody.');
  await expectAccessible(page);

  // The same for an appeal that another moderator answers: it leaves the queue, and stays open.
  const { warnings } = await admin.call(listAllWarnings, { query: { user_id: reported_user_id } });
  const params = { id: warnings[0]?.id ?? '' };
  await wolf.call(appealWarning, { params, body: { text: 'I meant the park.' } });
  await page.goto(`/admin?tab=moderation&part=warnings&user_id=${reported_user_id}&appeal=pending`);
  await page.getByRole('button', { name: 'Answer the appeal of Wolf' }).click();
  const appeal = page.getByRole('tabpanel', { name: 'Appeals' });
  const answer = appeal.getByLabel('Answer', { exact: true });
  await answer.fill('We believe you, this once.');
  const pending = await admin.call(listAllWarnings, { query: { user_id: reported_user_id } });
  const theirs = { status: 'upheld', answer: 'No.' } as const;
  const seen = { version: pending.warnings[0]?.version ?? 0 };
  await admin.call(answerAppeal, { params, body: { ...seen, ...theirs } });
  await appeal.getByRole('button', { name: 'Revoke the sanction' }).click();
  await expect(appeal.getByRole('alert')).toContainText('It’s already answered');
  await expect(answer).toHaveValue('We believe you, this once.');
  await expect(appeal.getByRole('button', { name: 'Keep the sanction' })).toBeDisabled();
  await expectAccessible(page);
});

test('a moderator decides by keys, the next report opens by itself, and a decision is undone', async ({
  owner,
  device,
}) => {
  const ann = await owner({ name: 'Ann' });
  const people: Owner[] = [];
  // Only underage content is that grave: the reports of other tests come after these.
  for (const name of ['Wolf', 'Bear', 'Fox']) {
    const person = await owner({ name });
    await befriend(ann, person);
    for (let line = 0; line < 12; line++) await say(person, ann, `${name} says ${line}`);
    const { id: message_id } = await say(person, ann, `Bad words of ${name}`);
    for (let line = 0; line < 5; line++) await say(person, ann, `${name} goes on ${line}`);
    const reported_user_id = person.user.id;
    const about = { reported_user_id, message_id, report_type: 'underage_content' } as const;
    await ann.call(reportMessage, { body: { ...about, description: 'Children read this.' } });
    people.push(person);
  }
  const { page, call } = await device({ ...ann, email: 'admin@example.com' });
  const statusOf = async ({ user }: Owner) => {
    const { reports } = await call(listReports, { query: { reported_user_id: user.id } });
    return reports[0]?.status;
  };
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/admin?tab=moderation');
  const desk = page.getByRole('tabpanel', { name: 'Reports' });
  const evidence = desk.getByRole('list', { name: 'Messages' });
  // The evidence is open at the reported message, beside the decision.
  const ofWolf = evidence.getByText('Bad words of Wolf');
  await expect(ofWolf).toBeInViewport();
  // Every decision is in view beside it.
  for (const name of ['No violation', 'Warning', 'Restriction', 'Suspension'])
    await expect(desk.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  await expect(desk.getByText('Other decisions')).toBeInViewport({ ratio: 1 });
  await expect(desk.getByText('J next, K back')).toBeInViewport();
  await expect(desk.getByRole('list', { name: 'Reports to decide' })).toContainText('Most serious');
  await expectAccessible(page);
  await page.keyboard.press('j');
  await expect(evidence.getByText('Bad words of Bear')).toBeInViewport();
  await page.keyboard.press('k');
  await expect(ofWolf).toBeInViewport();

  await page.keyboard.press('1');
  await expect(evidence.getByText('Bad words of Bear')).toBeInViewport();
  expect(await statusOf(people[0]!)).toBe('dismissed');
  await page.keyboard.press('u');
  await expect(ofWolf).toBeInViewport();
  await expect.poll(() => statusOf(people[0]!)).toBe('pending');
  await page.keyboard.press('2');
  await expect(evidence.getByText('Bad words of Bear')).toBeInViewport();
  // Letters that somebody types decide nothing.
  const reason = desk.getByLabel('Reason (shown to the person)');
  await reason.fill('');
  await reason.pressSequentially('3 u');
  await expect(reason).toHaveValue('3 u');
  await desk.getByLabel('Template').selectOption('Spam');
  await expect(reason).toHaveValue(/advertising/);
  await desk.getByRole('button', { name: 'No violation' }).click();
  await expect(evidence.getByText('Bad words of Fox')).toBeInViewport();
  expect(await Promise.all(people.map(statusOf))).toEqual(['resolved', 'dismissed', 'pending']);

  // One after another on a phone, with the choices in view all the time.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.evaluate(() => window.scrollTo(0, 0));
  // Without the bar of the last decision.
  await page.reload();
  await expect(evidence.getByText('Bad words of Fox')).toBeVisible();
  const choices = desk.getByRole('region', { name: 'Choices' });
  await expect(choices.getByRole('button', { name: 'Warning' })).toBeInViewport({ ratio: 1 });
  // What was reported is in view above them, without scrolling.
  const [said, bar] = await Promise.all([
    evidence.getByText('Bad words of Fox').boundingBox(),
    choices.boundingBox(),
  ]);
  expect(said && said.y + said.height).toBeLessThanOrEqual(bar?.y ?? 0);
  // What the person would read is whole after a tap.
  await choices.getByText(/^They’d read: /).click();
  await expect(choices.getByText(/^They’d read: /)).toContainText(await reason.inputValue());
  await expectAccessible(page);
  await desk.getByRole('button', { name: 'No violation' }).click();
  await expect.poll(() => statusOf(people[2]!)).toBe('dismissed');
});

test('a suspended user sees the reason, the appeal and account deletion, and no other page', async ({
  owner,
  admin,
}) => {
  const wolf = await owner({ name: 'Wolf' });
  await wolf.page.goto('/home');
  await expect(wolf.page.getByRole('heading', { name: 'Welcome, Wolf' })).toBeVisible();
  const { warning } = await admin.call(issueWarning, {
    body: {
      user_id: wolf.user.id,
      warning_type: 'suspension',
      severity: 'severe',
      reason: 'You sold what may not be sold.',
    },
  });
  const title = wolf.page.getByRole('heading', { name: 'Your account is suspended' });
  await wolf.page.goto('/social');
  await expect(title).toBeVisible();
  await expect(wolf.page.getByText('You sold what may not be sold.')).toBeVisible();
  await expect(wolf.page.getByRole('button', { name: 'Appeal' })).toBeVisible();
  await expect(wolf.page.getByRole('button', { name: 'Delete my account' })).toBeVisible();
  await expect(wolf.page.getByRole('navigation')).toBeHidden();
  await expectAccessible(wolf.page);

  // The open app notices that the suspension was revoked, also without events.
  await wolf.page.route('**/api/events', (route) => route.abort());
  const { id, version } = warning;
  await admin.call(liftWarning, { params: { id }, body: { version } });
  await expect(title).toBeHidden();
  await expect(wolf.page.getByRole('navigation').first()).toBeVisible();
});

test('an admin tests a rule on past messages, removes a message in review and edits a guideline', async ({
  owner,
  device,
}) => {
  const ann = await owner({ name: 'Ann' });
  const sam = await owner({ name: 'Sam' });
  await befriend(ann, sam);
  await say(ann, sam, 'What a quibblesnort!');
  const { page, call } = await device({ ...ann, email: 'admin@example.com' });
  await page.goto('/admin?tab=moderation&part=rules');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create Rule' }).click();
  const form = dialog(page, 'Create rule');
  await form.getByLabel('Name').fill('Made up');
  await form.getByLabel('Pattern').fill('quibblesnor*');
  await form.getByRole('button', { name: 'Test on past messages' }).click();
  await expect(form.getByRole('status')).toContainText('What a quibblesnort!');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  await page.getByLabel('Search by name or pattern').fill('quibble');
  await expect(page.getByRole('row', { name: /quibblesnor/ })).toContainText('Active');
  await say(ann, sam, 'Another Quibblesn0rt');
  const found = async () => {
    const { entries } = await call(listLog, { query: { user_id: ann.user.id } });
    return entries.map(({ flagged_content }) => flagged_content);
  };
  await expect.poll(found).toEqual(['Another Quibblesn0rt']);

  await page.getByRole('tab', { name: 'Log', exact: true }).click();
  await expect(page.getByRole('row', { name: /Another Quibblesn0rt/ })).toContainText('Flagged');
  await expectAccessible(page);

  // Removing a message in review is permanent, so a dialog asks first.
  const reviewRule = {
    rule_type: 'word',
    rule_name: 'Made up',
    rule_pattern: 'zibblewort',
  } as const;
  const how = { severity: 'high', action: 'require_review' } as const;
  await call(createRule, { body: { ...reviewRule, ...how } });
  await say(ann, sam, 'You zibblewort');
  await page.reload();
  const waiting = page.getByRole('row', { name: /You zibblewort/ });
  const remove = waiting.getByRole('button', { name: 'Remove the text by Ann' });
  const asking = dialog(page, 'Remove this message?');
  await remove.click();
  await expect(asking).toContainText(
    '“You zibblewort” will be permanently deleted for both people.',
  );
  await expectAccessible(page);
  await asking.getByRole('button', { name: 'Cancel' }).click();
  await expect(waiting).toContainText('Needs review');
  await remove.click();
  await asking.getByRole('button', { name: 'Remove' }).click();
  await expect(waiting).toContainText('Removed');

  await page.getByRole('tab', { name: 'Guidelines' }).click();
  await page.getByRole('button', { name: 'Edit No spam' }).click();
  const guideline = dialog(page, 'Edit guideline');
  await guideline.getByLabel('Consequences').fill('You are decisions once, and restricted after.');
  await guideline.getByRole('button', { name: 'Save' }).click();
  await expect(guideline).toBeHidden();
  await expectAccessible(page);
});

test('lists of moderation show only the error when they fail to load', async ({ device }) => {
  const { page } = await device({ email: 'admin@example.com' });
  const logged = /\/api\/admin\/moderation-log/;
  // The empty state isn't shown when loading failed.
  await page.route(logged, (route) => route.fulfill({ status: 400, body: '' }));
  await page.goto('/admin?tab=moderation&part=log');
  await expect(page.getByRole('alert')).toContainText('Failed to fetch moderation log');
  await expect(page.getByText('No messages to review')).toBeHidden();
  await page.unroute(logged);
  const rules = '**/api/admin/moderation-rules';
  await page.route(rules, (route) => route.fulfill({ status: 400, body: '' }));
  await page.goto('/admin?tab=moderation&part=rules');
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to fetch moderation rules' });
  await expect(failed).toBeVisible();
  await page.unroute(rules);
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(failed).toBeHidden();
});
