import { dropLocation } from '#shared/proximity/contract.ts';
import { call } from '../../http/api.ts';
import type { LeadingTab } from '../../events/leading-tab.ts';
import { isLogoutPending } from '../../session/remembered-user.ts';
import { ProximityMonitor } from './proximity-monitor.ts';
import { OFF, type ProximityState } from './proximity-state.ts';
import { isAnotherLeading, type TabWord } from './tab-messages.ts';
import type { WarningPreferences } from './warning-preferences.ts';
import { Store } from '../../store.ts';

/** What one tab knows of the warning: its own when it leads, else what the leading tab tells it. */
export interface TabState extends ProximityState {
  /** Null until it is known: neither has this tab been chosen, nor has another that leads answered. */
  leads: boolean | null;
}

/** The warning as one tab has it: it leads and keeps a lookout, or shows what the leader tells. */
export class ProximityTab extends Store {
  readonly #name: string;
  readonly #tab: LeadingTab;
  #state: TabState = { ...OFF, leads: null };
  #wishes: WarningPreferences | null = null;
  #channel: BroadcastChannel | null = null;
  #stopListening: (() => void) | null = null;
  #lookout: ProximityMonitor | null = null;
  /** What another tab knew, while this one leads and does not know yet whether its owner shares. */
  #before: ProximityState | null = null;

  constructor(userId: string, tab: LeadingTab) {
    super();
    this.#tab = tab;
    this.#name = `leashwise-proximity-${userId}`;
  }

  readonly getState = (): TabState => this.#state;

  start(): void {
    const channel = new BroadcastChannel(this.#name);
    this.#channel = channel;
    channel.addEventListener('message', this.#hear);
    this.#stopListening = this.#tab.onLeads(() => this.#arrange());
    this.#arrange();
    this.#tell({ type: 'ask' });
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopListening = null;
    this.#arrange();
    this.#channel?.close();
    this.#channel = null;
  }

  /** What the owner's documents say. Until it is known, quiet places too, nothing is reported. */
  setWishes(wishes: WarningPreferences): void {
    const turnedOff = this.#wishes?.sharing === true && !wishes.sharing;
    this.#wishes = wishes;
    this.#arrange();
    this.#lookout?.review();
    if (turnedOff && this.#leads)
      call(dropLocation).catch((error: unknown) => {
        // The server drops it as well when it hears of the switch.
        console.warn('Failed to delete the position', error);
      });
  }

  /** Ends the alerts about some people until they have been away. */
  dismiss(userIds: string[]): void {
    if (this.#lookout) this.#lookout.dismiss(userIds);
    else this.#tell({ type: 'dismiss', userIds });
  }

  /** Tries again to find and to report the position. */
  retry(): void {
    if (!this.#lookout) return this.#tell({ type: 'retry' });
    this.#closeLookout();
    this.#arrange();
  }

  get #leads(): boolean {
    return this.#stopListening !== null && this.#tab.leads;
  }

  /** A lookout where there should be one, none where not. */
  #arrange() {
    const leads = this.#leads;
    const wishes = this.#wishes;
    if (!wishes?.sharing) this.#closeLookout();
    else if (!leads) this.#leaveLookout();
    if (leads && wishes?.sharing)
      this.#lookout ??= new ProximityMonitor({
        onEvent: this.#tab.onEvent,
        mistrustEvents: this.#tab.mistrust,
        wishes: () => this.#wishes ?? wishes,
        before: this.#before ?? this.#state,
        onChange: (state) => {
          this.#show({ ...state, leads: true });
          this.#tell({ type: 'state', state });
        },
      });
    // What is known stays meanwhile: a new tab leads before its documents are here.
    else if (leads && !wishes && this.#state.status !== 'off') {
      this.#before ??= this.#state;
      this.#show({ ...this.#state, status: 'starting', leads });
      return;
    } else if (leads) {
      this.#show({ ...OFF, leads });
      this.#tell({ type: 'state', state: OFF });
    } else this.#show({ ...this.#state, leads: this.#state.leads === null ? null : false });
    this.#before = null;
  }

  #closeLookout() {
    this.#lookout?.close();
    this.#lookout = null;
  }

  /** Ended by the server, or by this page, while the phone may be in a pocket; who signs out knows. */
  #leaveLookout() {
    if (isLogoutPending()) return this.#closeLookout();
    this.#lookout?.leave(() => isAnotherLeading(this.#name));
    this.#lookout = null;
  }

  readonly #hear = ({ data }: MessageEvent<TabWord>) => {
    if (data.type === 'state' && !this.#leads) this.#show({ ...data.state, leads: false });
    if (!this.#leads) return;
    if (data.type === 'ask') {
      const { leads: _, ...state } = this.#state;
      this.#tell({ type: 'state', state });
    }
    if (data.type === 'dismiss') this.dismiss(data.userIds);
    if (data.type === 'retry') this.retry();
  };

  #tell(word: TabWord) {
    this.#channel?.postMessage(word);
  }

  #show(state: TabState) {
    if (isSame(state, this.#state)) return;
    this.#state = state;
    this.notify();
  }
}

/** Of states whose parts are the same things. */
const isSame = (one: TabState, other: TabState): boolean =>
  (Object.keys({ ...one, ...other }) as (keyof TabState)[]).every((key) => one[key] === other[key]);
