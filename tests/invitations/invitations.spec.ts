import { CODE_UNKNOWN } from '#shared/invitations/contract.ts';
import {
  expect,
  expectAccessible,
  freshEmail,
  notStored,
  offlineTest,
  test,
  untilStored,
} from '../browser.ts';

offlineTest(
  'an invited user searches with the code and sends a friend request',
  async ({ owner }) => {
    test.slow();
    const host = await owner({
      name: 'Host',
      context: { permissions: ['clipboard-write', 'clipboard-read'] },
    });
    const word = `Q${Date.now().toString(36)}`;
    const sam = await owner({ name: `${word} Sam`, context: notStored });
    const kim = await owner({ name: 'Kim' });

    await host.page.goto('/social');
    await expect(host.page.getByRole('tab')).toHaveText([
      /Chat/,
      /Friends/,
      /Requests/,
      /Search/,
      /Invitations/,
      /Blocked/,
    ]);
    await host.page.getByRole('tab', { name: 'Invitations' }).click();
    await expect(host.page.getByText('You haven’t invited anyone yet.')).toBeVisible();
    await host.page.getByText('Invite by email').click();
    const create = host.page.getByRole('button', { name: 'Create invitation' });
    const email = host.page.getByLabel('Your friend’s email');
    await create.click();
    await expect(email).toHaveAccessibleDescription('Required');
    await email.fill('kim');
    await create.click();
    await expect(email).toHaveAccessibleDescription('Invalid email');
    await expect(host.page.getByRole('radio', { checked: true })).toHaveAccessibleName('7 days');
    const address = freshEmail('kim');
    await email.fill(address);
    await host.page.getByText('14 days').click();
    await create.click();
    const row = host.page.getByRole('listitem').filter({ hasText: address });
    await expect(row).toContainText('Active');
    await expect(
      host.page.getByRole('status').filter({ hasText: 'Invitation created' }),
    ).toContainText(address);
    await expectAccessible(host.page);
    await row.getByRole('button', { name: /^Copy link/ }).click();
    await expect(row.getByRole('button', { name: /Copied!/ })).toBeVisible();
    const link = await host.page.evaluate(() => navigator.clipboard.readText());
    const code = link.slice(-8);
    expect(link).toMatch(/\/\?ref=[\w-]+&code=[A-Z0-9]{8}$/);
    await expect(row.getByRole('button', { name: /^Copy link/ })).toBeVisible();

    const { page } = kim;
    // The link leads a member to who made it, and has the code filled in.
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Host invited you' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send request to Host' })).toBeVisible();
    await expect(page.getByLabel('Search code')).toHaveValue(code);
    await expect(page.getByLabel('Name')).toHaveValue('Host');
    await expectAccessible(page);
    // Without a reload.
    await expect(row).toContainText('Used');
    // Pasted into a field, too.
    await page.goto('/social?tab=search');
    await page.getByLabel('Name').fill(link);
    await expect(page.getByRole('heading', { name: 'Host invited you' })).toBeVisible();
    await expect(page.getByLabel('Search code')).toHaveValue(code);
    await page.getByLabel('Name').fill('');
    await page.getByLabel('Search code').fill('');
    const search = page.getByRole('button', { name: 'Search', exact: true });
    const name = page.getByLabel('Name');
    const typed = page.getByLabel('Search code');
    await search.click();
    await expect(name).toHaveAccessibleDescription('Please enter a search term');
    await expect(typed).toHaveAccessibleDescription(
      /Search invitation code is required to find new users/,
    );
    await name.fill(word.toLowerCase());
    await typed.fill('nobody00');
    await search.click();
    await expect(typed).toHaveAccessibleDescription(new RegExp(CODE_UNKNOWN));
    // Pasted with a leading space.
    await typed.fill(` ${code.toLowerCase()}`);
    await expect(typed).toHaveValue(code);
    await search.click();
    const found = page.getByRole('listitem').filter({ hasText: `${word} Sam` });
    await found.getByRole('button', { name: `Send request to ${word} Sam` }).click();
    await expect(found).toContainText('Request Pending');
    await expectAccessible(page);
    // The results are still there after a look at the requests.
    await page.getByRole('tab', { name: 'Requests' }).click();
    await expect(name).toBeHidden();
    await page.getByRole('tab', { name: 'Search' }).click();
    await expect(found).toContainText('Request Pending');
    await expect(name).toHaveValue(word.toLowerCase());
    await name.fill(`${word}zz`);
    await search.click();
    await expect(page.getByText('No one found with that name.')).toBeVisible();
    await page.route('**/api/users/search', (route) => route.fulfill({ status: 502, body: 'no' }));
    await search.click();
    await expect(page.getByText('Search failed')).toBeVisible();
    await page.unroute('**/api/users/search');
    await untilStored(page);
    await kim.context.setOffline(true);
    await search.click();
    await expect(page.getByText('Failed to search users')).toBeVisible();
    await expect(
      page.getByText('Check your connection and try again. What you entered is still here.'),
    ).toBeVisible();
    await page.getByRole('tab', { name: 'Invitations' }).click();
    // They are in the contacts document, on this device.
    await expect(page.getByText('You haven’t invited anyone yet.')).toBeVisible();

    await sam.page.goto('/social?tab=requests');
    await expect(sam.page.getByRole('button', { name: 'Accept Kim' })).toBeVisible();

    await email.fill(freshEmail('over'));
    await create.click();
    const over = host.page.getByRole('listitem').filter({ hasText: 'Active' });
    await over.getByRole('button', { name: /^More about the invitation/ }).click();
    await host.page.getByRole('menuitem', { name: 'Revoke' }).click();
    await expectAccessible(host.page);
    await host.page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(over).toHaveCount(0);
    await untilStored(host.page);
    await host.page.reload();
    await expect(row).toContainText('Used');
    // Another device of theirs that never asked the server for the list: it has codes, but no addresses.
    await host.context.setOffline(true);
    await host.page.evaluate(() => {
      for (const key of Object.keys(localStorage))
        if (key.includes('search-invitations')) localStorage.removeItem(key);
    });
    await host.page.reload();
    const offline = host.page.getByRole('listitem').filter({ hasText: code });
    await expect(offline).toContainText('Used');
    await expect(offline).toContainText('Someone you invited');
    await host.page.getByText('Invite by email').click();
    await email.fill(freshEmail('late'));
    await create.click();
    await expect(host.page.getByText('Failed to create invitation')).toBeVisible();
    await expect(
      host.page.getByText('Check your connection and try again. What you entered'),
    ).toBeVisible();
    await expect(email).not.toHaveValue('');
  },
);
