/** `access_codes`. */
export interface AccessCodeRow {
  _id: string;
  /** Upper case, unique. */
  code: string;
  description: string | null;
  /** Null: without limit. */
  max_uses: number | null;
  /** Only ever counted up, under `max_uses`, by one atomic update. */
  current_uses: number;
  is_active: boolean;
  expires_at: Date | null;
  created_at: Date;
}

/** `access_code_uses`: they stay when their code is deleted. */
export interface AccessCodeUseRow {
  _id: string;
  access_code_id: string;
  /** Null until whoever used it signs in. */
  user_id: string | null;
  ip_address: string;
  used_at: Date;
}

/** `access_grants`: the access of a visitor who has not signed in yet. */
export interface AccessGrantRow {
  /** The hash of the cookie's secret. */
  _id: string;
  use_id: string;
  access_code_id: string;
  expires_at: Date;
  /** Who signed in with it: nobody else can any more. */
  user_id: string | null;
}
