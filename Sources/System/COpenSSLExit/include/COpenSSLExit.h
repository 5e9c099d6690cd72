#pragma once

// Linking this module is its only use: OpenSSL then keeps its memory until the process has ended.
