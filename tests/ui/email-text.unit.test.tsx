// @vitest-environment jsdom
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LongText } from '../../client/platform/admin/list/long-text.tsx';
import { DetailsList } from '../../client/platform/ui/layout/details-list.tsx';

test('an email address breaks before its @, in lists and details', () => {
  for (const shown of [
    <LongText key="list">ada.lovelace@example.com</LongText>,
    <DetailsList key="details" rows={[['Email', 'ada.lovelace@example.com']]} />,
  ])
    expect(renderToStaticMarkup(shown)).toContain('ada.lovelace<wbr/>@example.com');
  expect(renderToStaticMarkup(<DetailsList rows={[['Name', 'Ada']]} />)).not.toContain('<wbr/>');
});
