#pragma once

// Linking this module is its whole use: OpenSSL keeps what it holds until the process is gone.
