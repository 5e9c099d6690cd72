// This module is empty. The products that contain it are modules of Apple's, which only Linux needs.
