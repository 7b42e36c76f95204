// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { IssueForm } from '../../../client/features/moderation/people/issue-sanction-form.tsx';
import { noSanction } from '../../../client/features/moderation/people/sanction-fields.tsx';
import { renderScreen } from '../../render-screen.tsx';

const CALL = 'POST /api/admin/user-warnings';

test('nothing that ends an account or tells an authority is preset', () => {
  expect(noSanction('termination')).toMatchObject({
    is_end_confirmed: false,
    law_enforcement_notice: false,
  });
});

test('a sanction without a reason is not sent, and its field says what is missing', async () => {
  const screen = await renderScreen(<IssueForm userId="u1" onDone={() => {}} />, {
    answers: { [CALL]: {} },
  });
  await screen.press('Issue sanction');
  expect(screen.requests).not.toContain(CALL);
  expect(screen.describedBy('textarea')).toContain('Please fill this in');
});

test('a termination is sent only after its confirmation was checked', async () => {
  const screen = await renderScreen(<IssueForm userId="u1" onDone={() => {}} />, {
    answers: { [CALL]: {} },
  });
  await screen.choose('Sanction', 'termination');
  await screen.type('textarea', 'Threats.');
  await screen.press('Issue sanction');
  expect(screen.requests).not.toContain(CALL);
  await screen.check('End this account for good');
  await screen.press('Issue sanction');
  expect(screen.requests).toContain(CALL);
});
