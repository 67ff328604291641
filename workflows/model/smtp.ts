/** What a mail server shows to whoever connects, before any mail. */
export type SmtpLook = {
  /** Its first line, for instance "220 mx1.example.com ESMTP". */
  greeting: string;
  /** Extensions that it announces, one each, in capitals ("STARTTLS", "SIZE 10240000"). Source: RFC 5321 §4.1.1.1. */
  extensions: string[];
  /**
   * Whether the connection can be encrypted: `done` says that a handshake was finished, `failed` that it came to none,
   * `refused` that the server announces STARTTLS and does not begin. Source: RFC 3207.
   */
  startTls: 'done' | 'not-offered' | 'refused' | 'failed';
  /** "TLSv1.3", or why there was no handshake; "" where none was tried. */
  detail: string;
  remoteAddress: string;
  port: number;
};

export type SmtpProbe = {
  /**
   * Greets a mail server behind the guard, sees whether it encrypts, and says goodbye; no mail is begun.
   * @throws ProbeError when the server could not be asked; `protocol_error` when it turns us away
   */
  look(host: string): Promise<SmtpLook>;
};
