import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import {
  exportCodes,
  getCode,
  listCodes,
  type AccessCode,
} from '#shared/access-gate/admin-contract.ts';
import { CreateButton } from '../../platform/admin/list/create-button.tsx';
import { DataTable } from '../../platform/admin/list/data-table.tsx';
import { control, order } from '../../platform/admin/list/list-filters.ts';
import { RowAction, RowSwitch } from '../../platform/admin/list/row-action.tsx';
import { RowModal } from '../../platform/admin/list/row-modal.tsx';
import { useAdminList } from '../../platform/admin/list/use-admin-list.ts';
import { useRowActions } from '../../platform/admin/list/use-row-actions.ts';
import { Pill } from '../../platform/admin/pill.tsx';
import { call } from '../../platform/http/api.ts';
import { useCopy } from '../../platform/ui/buttons/use-copy.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { useNow } from '../../platform/use-now.ts';
import { InvitationPolicy } from '../referrals/invitation-policy.tsx';
import { AccessCodeForm } from './access-code-form.tsx';
import { CODES } from './code-list-actions.ts';

const LIST = {
  key: 'access-codes',
  from: listCodes,
  exported: exportCodes,
  search: 'Search by code or description',
  controls: [
    control('status', 'Status', 'All', {
      active: 'Active',
      inactive: 'Inactive',
      expired: 'Expired',
    }),
    control('source', 'Created by', 'Anyone', {
      admin: 'Admins',
      donation: 'Donations',
      referral: 'Invitations',
    }),
    order({ oldest: 'Oldest first', code: 'By code', most_used: 'Most used first' }),
  ],
} as const;

/** The admin list of access codes. */
export default function AccessCodesTab() {
  const list = useAdminList(LIST);
  const { opened, id, open, close } = useDialogParam();
  const [deleting, setDeleting] = useState<AccessCode | null>(null);
  const { toggle, remove, bulk } = useRowActions(CODES);
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="Access Codes"
        action={<CreateButton onClick={() => open('new')}>Create Code</CreateButton>}
      >
        <DataTable
          label="Access codes"
          list={list}
          rowsOf={({ accessCodes }) => accessCodes}
          nameOf={CODES.nameOf}
          empty="No access codes created yet"
          noMatch="No access codes match your filters"
          bulk={bulk}
          columns={[
            {
              name: 'Code',
              orders: { up: 'code' },
              cell: ({ code, description }) => (
                <>
                  <span className="block font-mono break-all">{code}</span>
                  {description && (
                    <span className="block text-sm font-normal text-soft">{description}</span>
                  )}
                </>
              ),
            },
            { name: 'Status', isState: true, cell: (row) => <CodeStatus code={row} /> },
            {
              name: 'Uses',
              orders: { down: 'most_used' },
              cell: ({ current_uses, max_uses }) => `${current_uses} of ${max_uses ?? 'unlimited'}`,
              brief: ({ current_uses, max_uses }) =>
                max_uses === null ? `${current_uses} used` : `${current_uses} of ${max_uses} used`,
              isPlain: true,
              isFigure: true,
            },
            {
              name: 'Expires',
              cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : 'Never'),
            },
            {
              name: 'Created',
              orders: { down: '', up: 'oldest' },
              cell: ({ created_at }) => <Time at={created_at} />,
            },
          ]}
          actions={(row) => (
            <>
              <RowSwitch
                word="Enabled"
                label={`${row.code} is enabled`}
                checked={row.is_active}
                onChange={() => void toggle(row)}
              />
              <CopyAction code={row.code} />
              <RowAction word="Edit" about={row.code} onClick={() => open('edit', row.id)} />
              <RowAction word="Delete" about={row.code} onClick={() => setDeleting(row)} />
            </>
          )}
        />
        <Modal open={opened === 'new'} onClose={close} title="Create access code">
          <AccessCodeForm code={null} onDone={close} />
        </Modal>
        <RowModal
          title="Edit access code"
          id={opened === 'edit' ? id : null}
          onClose={close}
          queryKey={['access-code']}
          ask={(which) => call(getCode, { params: { id: which } })}
          waiting="Loading access code…"
        >
          {({ accessCode }) => <AccessCodeForm code={accessCode} onDone={close} />}
        </RowModal>
        <ConfirmDialog
          open={deleting !== null}
          title={`Delete ${deleting?.code}?`}
          description="The code can no longer be used. People who already used it keep their access."
          yes="Delete"
          onYes={() => deleting && void remove(deleting)}
          onClose={() => setDeleting(null)}
        />
      </Card>
      <InvitationPolicy />
    </div>
  );
}

function CopyAction({ code }: { code: string }) {
  const { outcome, copy } = useCopy(code);
  return (
    <RowAction
      word={outcome === 'copied' ? 'Copied' : 'Copy'}
      about={code}
      Icon={outcome === 'copied' ? Check : Copy}
      onClick={() => void copy(() => toast(`Your browser won’t let us copy. The code is ${code}.`))}
    />
  );
}

/** Whether a code can be used now, and if not, why. */
function CodeStatus({ code }: { code: AccessCode }) {
  const now = useNow();
  if (!code.is_active) return <Pill>Inactive</Pill>;
  if (code.expires_at !== null && Date.parse(code.expires_at) <= now) return <Pill>Expired</Pill>;
  if (code.max_uses !== null && code.current_uses >= code.max_uses) return <Pill>Used up</Pill>;
  return <Pill isOn>Active</Pill>;
}
