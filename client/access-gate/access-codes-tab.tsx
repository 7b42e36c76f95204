import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  exportCodes,
  getCode,
  listCodes,
  type AccessCode,
} from '#shared/access-gate/admin-contract.ts';
import { AsItIs } from '../admin/as-it-is.tsx';
import { DataTable } from '../admin/data-table.tsx';
import { useListAddress } from '../admin/use-list-address.ts';
import { useOpened } from '../admin/use-opened.ts';
import { useRowActions } from '../admin/use-row-actions.ts';
import { momentWords } from '../admin/words.ts';
import { call } from '../api.ts';
import { pathOf } from '../call.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Question } from '../ui/question.tsx';
import { Switch } from '../ui/switch.tsx';
import { AccessCodeForm } from './access-code-form.tsx';
import { CODES } from './code-kind.ts';
import { CodeStatus } from './code-status.tsx';

const CHOICES = {
  sort: ['newest', 'oldest', 'code', 'most_used'],
  status: ['active', 'inactive', 'expired'],
  source: ['admin', 'donation'],
} as const;

const CONTROLS = [
  {
    name: 'status',
    label: 'Status',
    options: [
      { value: '', name: 'All' },
      { value: 'active', name: 'Active' },
      { value: 'inactive', name: 'Inactive' },
      { value: 'expired', name: 'Expired' },
    ],
  },
  {
    name: 'source',
    label: 'Made by',
    options: [
      { value: '', name: 'Anybody' },
      { value: 'admin', name: 'Admins' },
      { value: 'donation', name: 'Donations' },
    ],
  },
  {
    name: 'sort',
    label: 'Order',
    options: [
      { value: '', name: 'Newest first' },
      { value: 'oldest', name: 'Oldest first' },
      { value: 'code', name: 'By code' },
      { value: 'most_used', name: 'Most used first' },
    ],
  },
] as const;

const idOf = (row: AccessCode) => row.id;

/** The codes that open the gate. */
export default function AccessCodesTab() {
  const address = useListAddress(CHOICES);
  const { query } = address;
  const { opened, id, open, close } = useOpened();
  const [deleting, setDeleting] = useState<AccessCode | null>(null);
  const asked = useQuery({
    queryKey: ['admin', 'access-codes', query],
    queryFn: () => call(listCodes, { query }),
    placeholderData: keepPreviousData,
  });
  const { toggle, remove, bulk } = useRowActions(CODES);
  const { cursor: _, ...filters } = query;
  return (
    <Card
      title="Access Codes"
      action={
        <Button
          className="sm:whitespace-nowrap"
          onClick={() => open('new')}
          icon={<Plus aria-hidden className="size-5 shrink-0" />}
        >
          Create Code
        </Button>
      }
    >
      <DataTable
        label="Access codes"
        asked={asked}
        rows={asked.data?.accessCodes}
        address={address}
        idOf={idOf}
        nameOf={CODES.nameOf}
        empty="No access codes created yet"
        noMatch="No access codes match your filters"
        failure={listCodes.failure}
        search="Search by code or description"
        controls={CONTROLS}
        exportHref={pathOf(exportCodes, {}, filters)}
        bulk={bulk}
        columns={[
          {
            name: 'Code',
            cell: ({ code, description }) => (
              <>
                <span className="block font-mono break-all">{code}</span>
                {description && (
                  <span className="block text-sm font-normal text-soft">{description}</span>
                )}
              </>
            ),
          },
          { name: 'Status', cell: (row) => <CodeStatus code={row} /> },
          {
            name: 'Uses',
            cell: ({ current_uses, max_uses }) => `${current_uses} of ${max_uses ?? 'unlimited'}`,
            isFigure: true,
          },
          {
            name: 'Expires',
            cell: ({ expires_at }) => (expires_at ? momentWords(expires_at) : 'Never'),
          },
          { name: 'Created', cell: ({ created_at }) => momentWords(created_at) },
        ]}
        actions={(row) => (
          <>
            <Switch
              label={`${row.code} is enabled`}
              checked={row.is_active}
              onChange={() => void toggle(row)}
            />
            <IconButton label={`Edit ${row.code}`} onClick={() => open('edit', row.id)}>
              <Pencil aria-hidden className="size-5" />
            </IconButton>
            <IconButton label={`Delete ${row.code}`} onClick={() => setDeleting(row)}>
              <Trash2 aria-hidden className="size-5" />
            </IconButton>
          </>
        )}
      />
      <Modal open={opened === 'new'} onClose={close} title="Create access code">
        <AccessCodeForm code={null} onDone={close} />
      </Modal>
      <Modal open={opened === 'edit' && id !== null} onClose={close} title="Edit access code">
        {id !== null && (
          <AsItIs
            key={id}
            queryKey={['admin', 'access-code', id]}
            ask={() => call(getCode, { params: { id } })}
            waiting="The code is on its way"
          >
            {({ accessCode }) => <AccessCodeForm code={accessCode} onDone={close} />}
          </AsItIs>
        )}
      </Modal>
      <Question
        open={deleting !== null}
        title={`Delete ${deleting?.code}?`}
        description="Nobody can enter with it any more. Whoever did keeps their access."
        yes="Delete"
        onYes={() => deleting && void remove(deleting)}
        onClose={() => setDeleting(null)}
      />
    </Card>
  );
}
