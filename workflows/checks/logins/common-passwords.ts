/** What people choose first, by published counts of leaked passwords, and what stands in for one on new accounts. */
export const commonPasswords = [
  ...['123456', 'password', '12345678', 'qwerty', '123456789', '12345', '1234', '111111', '1234567', 'dragon'],
  ...['123123', 'baseball', 'abc123', 'football', 'monkey', 'letmein', 'shadow', 'master', '666666', 'qwerty123'],
  ...['sunshine', 'princess', 'iloveyou', 'welcome', 'admin', 'password1', '000000', '654321', 'superman', 'michael'],
  ...['trustno1', 'passw0rd', 'Password1', 'secret', 'changeme', 'test', '1q2w3e4r', 'welcome1', 'summer', 'hunter2'],
] as const;
